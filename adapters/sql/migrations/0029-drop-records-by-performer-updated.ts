import type { Knex } from 'knex';
import { isMysql } from '../create-table.ts';

/** `records_by_performance` begins with the same columns and serves the same walks. */
export const up = async (knex: Knex): Promise<void> => {
  if (isMysql(knex)) return;
  await knex.raw('DROP INDEX IF EXISTS records_by_performer_agent_id_updated_at');
};
