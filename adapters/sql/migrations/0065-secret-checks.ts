import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** Which secrets this database is used with: a value made of each, from which none can be told. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'secret_checks',
    columns: {
      secret: 'key',
      generation: 'integer',
      salt: 'hash',
      check_value: 'hash',
      created_at: 'time',
    },
    primaryKey: ['secret', 'generation'],
  });
