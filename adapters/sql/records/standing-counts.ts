import type { Uuid } from '../../../domain/kernel/ids.ts';
import { STATUSES, type RecordStatus } from '../../../domain/record/record-status.ts';
import type { Dialect } from '../base/dialect.ts';
import type { RawReader } from '../base/session.ts';
import { timeToSql, uuidToSql } from '../base/values.ts';
import { CONTESTABLE, countOf, join, OVERTURNED, part, type Part } from './performance-sql.ts';

/** Records that an agent performed for others, of one type and in one status. */
export interface StandingCount {
  readonly type: string;
  readonly status: RecordStatus;
  readonly records: number;
  /** Open past their deadline. */
  readonly overdue: number;
  /** Against the verdict on their latest completion. */
  readonly overturned: number;
  /** Creation of the oldest one, ms. */
  readonly since: number;
}

/**
 * In order of type.
 *
 * @param now until when a deadline counts as passed; null counts none.
 * @param among conditions on the record `r`.
 */
export const readStandingCounts = async (
  reader: RawReader,
  dialect: Dialect,
  agentId: Uuid,
  now: string | null,
  among: readonly Part[] = [],
): Promise<readonly StandingCount[]> => {
  const { sql, values } =
    among.length === 0 ? part(COUNTS[dialect.name]) : overRows(join(among, ' AND '));
  const rows = await reader.all<StandingCount>(sql, [
    now === null ? null : timeToSql(now),
    uuidToSql(agentId),
    ...values,
  ]);
  // MySQL gives sums as decimal text.
  return rows.map(({ type, status, records, overdue, overturned, since }) => ({
    type,
    status,
    records: Number(records),
    overdue: Number(overdue),
    overturned: Number(overturned),
    since: Number(since),
  }));
};

/** Work of an agent for others that was begun. */
export const forOthers = (agent: string): string =>
  `r.performer_agent_id = ${agent} AND r.activated_at IS NOT NULL AND r.principal_agent_id <> r.performer_agent_id`;
const OPEN = "'ACTIVE', 'REVISION_REQUESTED'";
const overdueAt = (now: string): string => `r.expires_at <= ${now}`;
/** Only a dispute overturns, so the completions of the few that were disputed are read. */
const DISPUTED = 'r.dispute_count > 0';
const COMPLETION = 'LEFT JOIN completions c ON c.id = r.latest_completion_id';

/** Rows are read where they stand. */
const overRows = (among: Part): Part =>
  part(
    'SELECT r.type AS type, r.status AS status, COUNT(*) AS records, MIN(r.created_at) AS since, ' +
      `${countOf(`r.status IN (${OPEN}) AND ${overdueAt('?')}`)} AS overdue, ${countOf(`${DISPUTED} AND ${OVERTURNED}`)} AS overturned ` +
      `FROM records r ${COMPLETION} AND ${DISPUTED} AND r.status IN (${CONTESTABLE}) WHERE ${forOthers('?')} AND ${among.sql} GROUP BY r.type, r.status ORDER BY r.type`,
    ...among.values,
  );

/** The types are found by jumps from one to the next; then each count runs over neighbours in records_by_standing (0350). */
const FROM_INDEX = (() => {
  const ofAgent = forOthers('asked.agent');
  const grouped = `${ofAgent} AND r.type = types.type AND r.status = groups.status`;
  const count = (condition?: string, joined = ''): string =>
    `(SELECT COUNT(*) FROM records r ${joined} WHERE ${grouped}${condition ? ` AND ${condition}` : ''})`;
  const onlyOf = (statuses: string, counted: string): string =>
    `CASE WHEN groups.status IN (${statuses}) THEN ${counted} ELSE 0 END`;
  return (
    `WITH RECURSIVE asked(now, agent) AS (SELECT ?, ?), groups(status) AS (VALUES ${STATUSES.map((status) => `('${status}')`).join(', ')}), types(type) AS (` +
    `SELECT (SELECT MIN(r.type) FROM records r WHERE ${ofAgent}) FROM asked UNION ALL ` +
    `SELECT (SELECT MIN(r.type) FROM records r WHERE ${ofAgent} AND r.type > types.type) FROM types, asked WHERE types.type IS NOT NULL) ` +
    `SELECT types.type AS type, groups.status AS status, ${count()} AS records, (SELECT MIN(r.created_at) FROM records r WHERE ${grouped}) AS since, ` +
    `${onlyOf(OPEN, count(overdueAt('asked.now')))} AS overdue, ${onlyOf(CONTESTABLE, count(`${DISPUTED} AND ${OVERTURNED}`, COMPLETION))} AS overturned ` +
    'FROM asked, types, groups WHERE types.type IS NOT NULL AND since IS NOT NULL ORDER BY types.type'
  );
})();

const COUNTS: Readonly<Record<Dialect['name'], string>> = {
  mysql: overRows(part('TRUE')).sql,
  sqlite: FROM_INDEX,
};
