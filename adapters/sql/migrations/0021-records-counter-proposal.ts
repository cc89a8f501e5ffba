import type { Knex } from 'knex';
import { addColumn } from '../create-table.ts';

export const up = (knex: Knex): Promise<void> =>
  addColumn(knex, 'records', 'counter_proposal?', 'long-text');
