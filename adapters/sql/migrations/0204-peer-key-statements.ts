import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** The key statements of peers, as they were verified when they came. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'peer_key_statements',
    columns: {
      hub_id: 'uuid',
      vault_root: 'hash',
      statements: 'long-text',
      fetched_at: 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['hub_id'],
  });
