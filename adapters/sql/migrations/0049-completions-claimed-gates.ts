import type { Knex } from 'knex';
import { addColumn } from '../create-table.ts';

/** What the principal says with its verdict that the gates gave, in the encrypted mode. */
export const up = (knex: Knex): Promise<void> =>
  addColumn(knex, 'completions', 'verdict_gate_results?', 'long-text');
