import type { TableDefinition } from './create-table.ts';

export const ANCHOR_TABLES: readonly TableDefinition[] = [
  /** Checkpoints that were copied out of the database, each with the name of its copy. */
  {
    name: 'anchored_checkpoints',
    columns: {
      log_index: 'integer',
      chain_key: 'key',
      position: 'integer',
      object_key: 'short',
      anchored_at: 'time',
    },
    primaryKey: ['log_index'],
    indexes: [{ columns: ['chain_key', 'log_index'] }],
    clustered: true,
    isAppendOnly: true,
  },
  /** The results of the sweeps of anchors: one row. */
  {
    name: 'anchor_sweeps',
    columns: {
      id: 'integer',
      'last_sweep_at?': 'time',
      'last_success_at?': 'time',
      failures: 'integer',
      pending: 'integer',
      'last_verify?': 'text',
    },
    primaryKey: ['id'],
    clustered: true,
  },
  /** Chains that a signed checkpoint proves to have been longer, or different. */
  {
    name: 'rewind_findings',
    columns: {
      chain_key: 'key',
      checkpoint_hash: 'hash',
      finding: 'key',
      local_position: 'integer',
      'local_hash?': 'hash',
      anchored_position: 'integer',
      anchored_hash: 'hash',
      key_lost: 'flag',
      detected_at: 'time',
      'acknowledged_at?': 'time',
    },
    primaryKey: ['chain_key', 'checkpoint_hash'],
    indexes: [{ columns: ['acknowledged_at', 'detected_at'] }],
    clustered: true,
  },
];
