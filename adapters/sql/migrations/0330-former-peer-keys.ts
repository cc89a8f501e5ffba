import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** The key statements of peers under roots that they had before: what was signed under those is still shown by them. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'former_peer_keys',
    columns: {
      id: 'uuid',
      hub_id: 'uuid',
      vault_root: 'hash',
      statements: 'long-text',
      fetched_at: 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    indexes: [{ columns: ['hub_id'] }],
  });
