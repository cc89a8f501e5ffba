import type { Knex } from 'knex';
import { addColumn } from '../create-table.ts';

/** How often a worker looks whether a job is needed; null where none said so. */
export const up = (knex: Knex): Promise<void> => addColumn(knex, 'jobs', 'every_ms?', 'integer');
