import type { Knex } from 'knex';
import { isMysql } from '../create-table.ts';

/**
 * Everything that reputation and drift ask of a record, so that they read the index alone: fifty thousand rows with
 * their criteria would be the larger part of the cost. MySQL keeps rows by key and has no partial indexes: there it
 * would cost every notarized record more than it gives.
 */
export const up = async (knex: Knex): Promise<void> => {
  if (isMysql(knex)) return;
  await knex.raw(
    'CREATE INDEX IF NOT EXISTS records_by_performance ON records (performer_agent_id, updated_at, id, activated_at, type, status, gate_mode, principal_agent_id, created_at, terminal_at, expires_at, latest_completion_id) WHERE performer_agent_id IS NOT NULL',
  );
};
