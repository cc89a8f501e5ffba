import type { Knex } from 'knex';
import { addColumn, addIndex } from '../create-table.ts';

/** What a record of a delegation tree knows of the tree; all of it is null on every other record. */
export const up = async (knex: Knex): Promise<void> => {
  await addColumn(knex, 'records', 'child_count?', 'integer');
  await addColumn(knex, 'records', 'cascade_rule?', 'short');
  await addIndex(
    knex,
    'records',
    ['parent_record_id', 'terminal_at'],
    'parent_record_id IS NOT NULL',
  );
};
