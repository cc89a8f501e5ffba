import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
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
  });
