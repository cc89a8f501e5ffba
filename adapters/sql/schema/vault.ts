import type { TableDefinition } from './create-table.ts';
import { signedByActiveKey } from './triggers.ts';

export const VAULT_TABLES: readonly TableDefinition[] = [
  {
    name: 'vault_signing_keys',
    columns: {
      key_id: 'key',
      algorithm: 'key',
      public_key: 'bytes',
      status: 'key',
      activated_at: 'time',
      'retired_at?': 'time',
    },
    primaryKey: ['key_id'],
  },
  /** Copies of platform entries, so their position in that chain is the key. */
  {
    name: 'vault_key_statements',
    columns: {
      chain_position: 'integer',
      key_id: 'key',
      statement: 'key',
      cose_sign1: 'long-bytes',
      created_at: 'time',
    },
    primaryKey: ['chain_position'],
    isAppendOnly: true,
  },
  {
    name: 'sealed_keys',
    columns: {
      key_id: 'key',
      algorithm: 'key',
      public_key: 'bytes',
      encrypted_private_key: 'bytes',
      created_at: 'time',
    },
    primaryKey: ['key_id'],
  },
  {
    name: 'vault_checkpoints',
    columns: {
      log_index: 'integer',
      id: 'uuid',
      chain_key: 'key',
      chain_kind: 'key',
      position: 'integer',
      head_hash: 'hash',
      signing_key_id: 'key',
      created_at: 'time',
      cose_sign1: 'long-bytes',
    },
    primaryKey: ['log_index'],
    unique: [['id']],
    indexes: [{ columns: ['chain_key', 'log_index'] }],
    isAppendOnly: true,
    triggers: [signedByActiveKey('vault_checkpoints')],
  },
  /**
   * RFC 3161 tokens of checkpoints. They have a table of their own because a checkpoint is never written again, and
   * its token arrives later.
   */
  {
    name: 'checkpoint_timestamps',
    columns: { log_index: 'integer', token: 'long-bytes' },
    primaryKey: ['log_index'],
    isAppendOnly: true,
  },
  /** Scans of the vault. `in_flight` has one value or NULL, and is unique, so one scan runs at a time on all nodes. */
  {
    name: 'vault_scans',
    columns: {
      id: 'uuid',
      'in_flight?': 'key',
      created_at: 'time',
      attempts: 'integer',
      'progress?': 'text',
      'completed_at?': 'time',
      'result?': 'long-text',
      'failure?': 'text',
    },
    primaryKey: ['id'],
    unique: [['in_flight']],
  },
];
