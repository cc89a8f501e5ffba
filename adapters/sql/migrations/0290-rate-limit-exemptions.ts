import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'rate_limit_exemptions',
    columns: {
      owner_id: 'uuid',
      created_at: 'time',
      row_version: 'integer',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['owner_id'],
  });
