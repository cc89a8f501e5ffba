import type { Knex } from 'knex';
import { isMysql } from '../create-table.ts';

/**
 * Records that agents performed for others, so that those of one type and status are counted in neighbouring places of an
 * index, without their rows. What only such counts asked for leaves the index that drift reads.
 */
export const up = async (knex: Knex): Promise<void> => {
  if (isMysql(knex)) return;
  await knex.raw(
    'CREATE INDEX IF NOT EXISTS records_by_standing ON records (performer_agent_id, type, status, created_at, dispute_count, expires_at) WHERE activated_at IS NOT NULL AND principal_agent_id <> performer_agent_id',
  );
  await knex.raw('DROP INDEX IF EXISTS records_by_performance');
  await knex.raw(
    'CREATE INDEX records_by_performance ON records (performer_agent_id, updated_at, id, activated_at, type, status, gate_mode, created_at, terminal_at, latest_completion_id) WHERE performer_agent_id IS NOT NULL',
  );
};
