import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** Whose a publisher label is. A row without an org was locked and not claimed. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'publishers',
    columns: { label: 'short', 'org_id?': 'uuid' },
    primaryKey: ['label'],
    clustered: true,
  });
