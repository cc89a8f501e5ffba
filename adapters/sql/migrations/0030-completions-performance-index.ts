import type { Knex } from 'knex';
import { isMysql } from '../create-table.ts';

/** When completions were submitted and what became of them, without their evidence; see 0028. */
export const up = async (knex: Knex): Promise<void> => {
  if (isMysql(knex)) return;
  await knex.raw(
    'CREATE INDEX IF NOT EXISTS completions_by_performance ON completions (record_id, submitted_at, gate_state, gate_evaluated_at, verdict, verdict_at)',
  );
};
