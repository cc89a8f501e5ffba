import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** One row a publisher label, to be locked. Whose the label is, the platform chain says. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'publishers',
    columns: { label: 'short' },
    primaryKey: ['label'],
    clustered: true,
  });
