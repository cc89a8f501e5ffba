import type { Knex } from 'knex';
import { addColumn } from '../create-table.ts';

/** Null: none yet. */
export const up = (knex: Knex): Promise<void> =>
  addColumn(knex, 'records', 'proposal_rounds?', 'integer');
