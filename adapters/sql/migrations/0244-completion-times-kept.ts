import type { Knex } from 'knex';
import { isMysql } from '../create-table.ts';

/**
 * The database writes the time of a submission with the submission. Nothing that it is made of changes afterwards: who
 * performs and when it became active are settled before anything can be submitted.
 */
export const up = async (knex: Knex): Promise<void> => {
  const insert = `INSERT INTO completion_times (performer_agent_id, elapsed_ms, completion_id, type)`;
  const timed = (completion: string, from: string): string =>
    `SELECT r.performer_agent_id, ${completion}.submitted_at - r.activated_at, ${completion}.id, r.type FROM ${from} AND r.activated_at IS NOT NULL AND r.performer_agent_id <> r.principal_agent_id`;
  const one = `${insert} ${timed('NEW', 'records r WHERE r.id = NEW.record_id')};`;
  await knex.raw('DROP TRIGGER IF EXISTS completions_timed');
  await knex.raw(
    isMysql(knex)
      ? `CREATE TRIGGER completions_timed AFTER INSERT ON completions FOR EACH ROW ${one}`
      : `CREATE TRIGGER completions_timed AFTER INSERT ON completions BEGIN ${one} END`,
  );
  const all = timed('c', 'completions c JOIN records r ON r.id = c.record_id WHERE 1 = 1');
  await knex.raw(
    `${insert} ${all} AND NOT EXISTS (SELECT 1 FROM completion_times t WHERE t.performer_agent_id = r.performer_agent_id AND t.elapsed_ms = c.submitted_at - r.activated_at AND t.completion_id = c.id)`,
  );
};
