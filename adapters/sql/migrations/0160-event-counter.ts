import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** The newest number of an event, and when it was given. One row, which whoever gives numbers locks first. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'event_counter',
    columns: {
      id: 'uuid',
      last: 'integer',
      numbered_at: 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
  });
