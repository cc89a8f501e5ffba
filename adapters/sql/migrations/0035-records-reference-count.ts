import type { Knex } from 'knex';
import { addColumn } from '../create-table.ts';

/** Null: none, so that most records are read without a second look. */
export const up = (knex: Knex): Promise<void> =>
  addColumn(knex, 'records', 'reference_count?', 'integer');
