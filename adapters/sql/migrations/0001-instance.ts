import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** Who this hub is: one row, whose key is the constant 1. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'instance',
    columns: { id: 'integer', hub_id: 'uuid', predicate_base: 'short' },
    primaryKey: ['id'],
  });
