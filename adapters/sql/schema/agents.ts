import type { TableDefinition } from './create-table.ts';

export const AGENT_TABLES: readonly TableDefinition[] = [
  /** The filters of the agent list each have an index that begins with them. */
  {
    name: 'agents',
    columns: {
      id: 'uuid',
      org_id: 'uuid',
      name: 'short',
      display_name: 'text',
      capabilities: 'long-text',
      'deactivated_at?': 'time',
      'deactivation_reason?': 'text',
      absences: 'long-text',
      'managed_by?': 'short',
      created_at: 'time',
      row_version: 'integer',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    indexes: [
      { columns: ['org_id', 'created_at', 'id'] },
      { columns: ['name', 'created_at', 'id'] },
      { columns: ['created_at', 'id'] },
      { columns: ['org_id', 'name', 'created_at', 'id'] },
      { columns: ['org_id', 'deactivated_at', 'created_at', 'id'] },
      { columns: ['deactivated_at', 'created_at', 'id'] },
    ],
    references: [{ column: 'org_id', table: 'orgs' }],
  },
  /**
   * One row per public key, found by its RFC 9679 thumbprint, so that no key is stored twice. `ended_at` is when it
   * was revoked or replaced.
   */
  {
    name: 'agent_keys',
    columns: {
      thumbprint: 'hash',
      agent_id: 'uuid',
      purpose: 'key',
      curve: 'key',
      public_key: 'bytes',
      issuers: 'long-text',
      entry_position: 'integer',
      started_at: 'time',
      'ended_at?': 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['thumbprint'],
    indexes: [{ columns: ['agent_id', 'purpose', 'entry_position'] }],
    references: [{ column: 'agent_id', table: 'agents' }],
  },
  /** The same columns as record_references; `entry_position` is one of the platform chain. */
  {
    name: 'agent_references',
    columns: {
      agent_id: 'uuid',
      entry_position: 'integer',
      id: 'uuid',
      kind: 'key',
      uri: 'text',
      target_hash: 'hash',
      'digest_alg?': 'key',
      'digest_value?': 'text',
      'label?': 'short',
      added_by: 'text',
      added_at: 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['agent_id', 'entry_position'],
    unique: [['agent_id', 'target_hash']],
    references: [{ column: 'agent_id', table: 'agents' }],
  },
];
