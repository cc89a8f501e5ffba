import type { Knex } from 'knex';
import { addIndex } from '../create-table.ts';

/** For the job that finishes evaluations which a crash left behind. */
export const up = (knex: Knex): Promise<void> =>
  addIndex(knex, 'records', ['awaiting', 'updated_at'], "awaiting = 'gate'");
