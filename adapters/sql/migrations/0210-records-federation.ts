import type { Knex } from 'knex';
import { addColumn } from '../create-table.ts';

/** The federated half of a record; null on most records. */
export const up = (knex: Knex): Promise<void> => addColumn(knex, 'records', 'federation?', 'text');
