import type { Knex } from 'knex';
import { addColumn } from '../create-table.ts';

/** When a worker last looked whether a job is needed, be it or not. */
export const up = (knex: Knex): Promise<void> => addColumn(knex, 'jobs', 'seen_at?', 'time');
