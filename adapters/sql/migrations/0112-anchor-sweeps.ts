import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** How the sweeps of anchors went: one row. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
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
  });
