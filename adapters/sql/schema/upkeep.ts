import type { TableDefinition } from './create-table.ts';

export const UPKEEP_TABLES: readonly TableDefinition[] = [
  /** Rows that exist only to be locked; see `locks.ts`. */
  {
    name: 'locks',
    columns: { name: 'short', value: 'integer' },
    primaryKey: ['name'],
    clustered: true,
    rows: [
      { name: 'checkpoint-log', value: 0 },
      { name: 'platform-keys', value: 0 },
      { name: 'admin-doors', value: 0 },
    ],
  },
  /**
   * Which process runs a background job, until when, and how its last run went. `every_ms` is how often a worker
   * checks whether the job is needed, and `seen_at` when it checked last.
   */
  {
    name: 'jobs',
    columns: {
      name: 'key',
      'holder?': 'key',
      lease_until: 'time',
      'last_started_at?': 'time',
      'last_duration_ms?': 'integer',
      'last_failure?': 'text',
      'every_ms?': 'integer',
      'seen_at?': 'time',
    },
    primaryKey: ['name'],
    clustered: true,
  },
  /** Answers of calls with an idempotency key. */
  {
    name: 'idempotency',
    columns: {
      scope: 'hash',
      body_hash: 'hash',
      answer: 'long-text',
      is_provisional: 'flag',
      created_at: 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['scope'],
    indexes: [{ columns: ['created_at'] }],
  },
];
