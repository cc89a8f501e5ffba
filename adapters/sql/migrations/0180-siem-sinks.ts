import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** How far each sink is that events are pushed to. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'siem_sinks',
    columns: {
      id: 'uuid',
      name: 'key',
      sequence: 'integer',
      event_id: 'uuid',
      numbered_at: 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
  });
