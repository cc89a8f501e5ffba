import type { Knex } from 'knex';
import { addIndex, isMysql } from '../create-table.ts';

/** Few records are disputed, and nobody needs an index to find one that is not: SQLite leaves those out. */
export const up = async (knex: Knex): Promise<void> => {
  if (isMysql(knex)) return;
  await knex.raw('DROP INDEX IF EXISTS records_by_disputed_created_at');
  await addIndex(knex, 'records', ['disputed', 'created_at', 'id'], 'disputed = 1');
};
