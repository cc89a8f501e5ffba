import type { Knex } from 'knex';
import { addColumn } from '../create-table.ts';

/** For whom the creator said, or proved, that it acts; null on most records. */
export const up = (knex: Knex): Promise<void> =>
  addColumn(knex, 'records', 'on_behalf_of?', 'text');
