import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** What each process counted of events that are told with a count: a row a process, gone when they are told. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'event_sums',
    columns: {
      id: 'uuid',
      sums: 'long-text',
      created_at: 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    indexes: [{ columns: ['created_at'] }],
  });
