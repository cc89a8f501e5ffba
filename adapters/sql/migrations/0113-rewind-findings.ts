import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** Chains that a signed checkpoint shows to have been longer, or others. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
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
  });
