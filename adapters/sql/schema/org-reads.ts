import type { TableDefinition } from './create-table.ts';
import { ORG_READS_IN_TURN, signedByActiveKey } from './triggers.ts';

export const ORG_READS_TABLES: readonly TableDefinition[] = [
  {
    name: 'org_admin_reads',
    columns: {
      org_id: 'uuid',
      leaf_index: 'integer',
      signing_key_id: 'key',
      leaf_hash: 'hash',
      cose_sign1: 'bytes',
      created_at: 'time',
    },
    primaryKey: ['org_id', 'leaf_index'],
    isAppendOnly: true,
    triggers: [ORG_READS_IN_TURN, signedByActiveKey('org_admin_reads')],
  },
  /** A new key signs the size of the last checkpoint of its predecessor once more. */
  {
    name: 'org_admin_reads_checkpoints',
    columns: {
      id: 'uuid',
      org_id: 'uuid',
      tree_size: 'integer',
      root_hash: 'hash',
      signing_key_id: 'key',
      cose_sign1: 'bytes',
      created_at: 'time',
    },
    primaryKey: ['id'],
    unique: [['org_id', 'tree_size', 'signing_key_id']],
    indexes: [{ columns: ['org_id', 'created_at', 'id'] }, { columns: ['created_at', 'id'] }],
    isAppendOnly: true,
    triggers: [signedByActiveKey('org_admin_reads_checkpoints')],
  },
  {
    name: 'witnesses',
    columns: {
      id: 'uuid',
      name: 'short',
      curve: 'key',
      public_key: 'bytes',
      created_at: 'time',
      row_version: 'integer',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    indexes: [{ columns: ['created_at', 'id'] }],
  },
  /** One cosignature per checkpoint. They have a table of their own because a checkpoint cannot change. */
  {
    name: 'org_reads_cosignatures',
    columns: {
      checkpoint_id: 'uuid',
      witness_key_id: 'uuid',
      signature: 'bytes',
      created_at: 'time',
    },
    primaryKey: ['checkpoint_id'],
    references: [{ column: 'checkpoint_id', table: 'org_admin_reads_checkpoints' }],
    isAppendOnly: true,
  },
];
