import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'provisioned_rows',
    columns: {
      id: 'uuid',
      kind: 'key',
      org_slug: 'key',
      name: 'short',
      created_at: 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    unique: [['kind', 'org_slug', 'name']],
  });
