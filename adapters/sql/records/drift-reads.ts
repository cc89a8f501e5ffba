import type { Uuid } from '../../../domain/kernel/ids.ts';
import {
  NO_ACTIVITY,
  type Activity,
  type BothPeriods,
  type DriftWindow,
} from '../../../domain/reputation/drift.ts';
import type { PerformanceReads } from '../../../domain/reputation/performance-reads.port.ts';
import { placeholders, type RawReader } from '../base/session.ts';
import { timeToSql, uuidFromSql, uuidToSql } from '../base/values.ts';
import {
  countOf,
  DECIDED_AT,
  mediansOf,
  medianFromSql,
  OVERTURNED,
  part,
  VERDICT,
  WITH_CONTESTABLE,
  type MedianRow,
  type Part,
} from './performance-sql.ts';

export const readDrift = async (
  reader: RawReader,
  agentId: Uuid,
  window: DriftWindow,
): ReturnType<PerformanceReads['drift']> => {
  const agents = [uuidToSql(agentId)];
  const [groups, ofAllTypes] = await Promise.all([
    activity(reader, agents, window, 'r.type', (key) => key as string),
    readMedians(reader, performedBy(agents, window), window, "''"),
  ]);
  const rows = [...groups]
    .map(([type, periods]) => ({ type, ...periods }))
    .sort((a, b) => (a.type < b.type ? -1 : 1));
  const sum = (period: Period): Activity => ({
    ...rows.reduce((total, row) => added(total, row[period]), NO_ACTIVITY),
    medianCompletionMs: medianIn(ofAllTypes, period),
  });
  return { overall: { current: sum('current'), baseline: sum('baseline') }, byType: rows };
};

export const readDriftOfOrg = async (
  reader: RawReader,
  orgId: Uuid,
  window: DriftWindow,
  { limit, after }: { readonly limit: number; readonly after: Uuid | null },
): ReturnType<PerformanceReads['driftOfOrg']> => {
  const listed = [uuidToSql(orgId), timeToSql(window.baselineFrom)];
  const [rows, [count]] = await Promise.all([
    after === null
      ? reader.all<AgentRow>(
          `SELECT a.id AS id, a.display_name AS display_name FROM agents a WHERE ${LISTED} ORDER BY a.id LIMIT ?`,
          [...listed, limit + 1],
        )
      : reader.all<AgentRow>(
          `SELECT a.id AS id, a.display_name AS display_name FROM agents a WHERE ${LISTED} AND a.id > ? ORDER BY a.id LIMIT ?`,
          [...listed, uuidToSql(after), limit + 1],
        ),
    reader.all<{ readonly n: number }>(
      `SELECT COUNT(*) AS n FROM agents a WHERE ${LISTED}`,
      listed,
    ),
  ]);
  const page = rows.slice(0, limit);
  const found =
    page.length === 0
      ? new Map<Uuid, BothPeriods>()
      : await activity(
          reader,
          page.map(({ id }) => id),
          window,
          'r.performer_agent_id',
          (key) => uuidFromSql(key as Uint8Array),
        );
  return {
    rows: page.map(({ id, display_name: displayName }) => ({
      agentId: uuidFromSql(id),
      displayName,
      ...(found.get(uuidFromSql(id)) ?? NOTHING),
    })),
    total: Number(count?.n ?? 0),
    hasMore: rows.length > limit,
  };
};

type Period = 'current' | 'baseline';

interface AgentRow {
  readonly id: Uint8Array;
  readonly display_name: string;
}

const NOTHING: BothPeriods = { current: NO_ACTIVITY, baseline: NO_ACTIVITY };

/**
 * Every change of a record updates its `updated_at`, so a record with an older one has nothing in
 * the window.
 */
const TOUCHED = 'r.activated_at IS NOT NULL AND r.updated_at > ?';

const LISTED = `a.org_id = ? AND (a.deactivated_at IS NULL OR EXISTS (SELECT 1 FROM records r WHERE r.performer_agent_id = a.id AND ${TOUCHED}))`;

const performedBy = (agents: readonly Uint8Array[], window: DriftWindow): Part =>
  part(
    `r.performer_agent_id IN (${placeholders(agents.length)}) AND ${TOUCHED}`,
    ...agents,
    timeToSql(window.baselineFrom),
  );

/** The activity of each group in both periods; `key` is the column that it is grouped by. */
const activity = async <Key>(
  reader: RawReader,
  agents: readonly Uint8Array[],
  window: DriftWindow,
  key: string,
  keyOf: (value: unknown) => Key,
): Promise<ReadonlyMap<Key, BothPeriods>> => {
  const where = performedBy(agents, window);
  const records = counts(
    [
      ['records', 'r.created_at'],
      ['overturned', 'r.terminal_at', OVERTURNED],
    ],
    window,
  );
  const completions = counts(
    [
      ['completions', 'c.submitted_at'],
      ['accepted', DECIDED_AT, `${VERDICT} = 'accept'`],
      ['rejected', DECIDED_AT, `${VERDICT} = 'reject'`],
    ],
    window,
  );
  const [ofRecords, ofCompletions, medians] = await Promise.all([
    reader.all<CountRow>(
      `SELECT ${key} AS grouped, ${records.sql} FROM records r ${WITH_CONTESTABLE} WHERE ${where.sql} GROUP BY ${key}`,
      [...records.values, ...where.values],
    ),
    reader.all<CountRow>(
      `SELECT ${key} AS grouped, ${completions.sql} FROM records r JOIN completions c ON c.record_id = r.id WHERE ${where.sql} GROUP BY ${key}`,
      [...completions.values, ...where.values],
    ),
    readMedians(reader, where, window, key),
  ]);
  const delivered = new Map(ofCompletions.map((row) => [keyOf(row.grouped), row]));
  const middle = new Map<Key, readonly MedianRow[]>();
  for (const row of medians)
    middle.set(keyOf(row.grouped), [...(middle.get(keyOf(row.grouped)) ?? []), row]);
  return new Map(
    ofRecords.map((row): [Key, BothPeriods] => {
      const group = keyOf(row.grouped);
      const counted = { ...delivered.get(group), ...row };
      const one = (period: Period): Activity => ({
        records: numberOf(counted, 'records', period),
        completions: numberOf(counted, 'completions', period),
        accepted: numberOf(counted, 'accepted', period),
        rejected: numberOf(counted, 'rejected', period),
        overturned: numberOf(counted, 'overturned', period),
        medianCompletionMs: medianIn(middle.get(group) ?? [], period),
      });
      return [group, { current: one('current'), baseline: one('baseline') }];
    }),
  );
};

type CountRow = Readonly<Record<string, unknown>>;

/**
 * Two columns for each name, `<name>_current` and `<name>_baseline`: how many rows meet the
 * condition and have that moment in the period.
 */
const counts = (
  columns: readonly (readonly [name: string, moment: string, condition?: string])[],
  window: DriftWindow,
): Part => {
  const parts = columns.flatMap(([name, moment, condition]) =>
    (['current', 'baseline'] as const).map((period) => {
      const [from, to] = boundsOf(window, period);
      return part(
        `${countOf(`${moment} > ? AND ${moment} <= ?${condition ? ` AND ${condition}` : ''}`)} AS ${name}_${period}`,
        from,
        to,
      );
    }),
  );
  return part(parts.map(({ sql }) => sql).join(', '), ...parts.flatMap(({ values }) => values));
};

const boundsOf = (window: DriftWindow, period: Period): readonly [number, number] =>
  period === 'current'
    ? [timeToSql(window.currentFrom), timeToSql(window.currentTo)]
    : [timeToSql(window.baselineFrom), timeToSql(window.baselineTo)];

/** Of the times from activation to each submission in the window. */
const readMedians = (
  reader: RawReader,
  where: Part,
  window: DriftWindow,
  key: string,
): Promise<readonly MedianRow[]> => {
  const { sql, values } = mediansOf(
    part(
      `SELECT ${key} AS grouped, CASE WHEN c.submitted_at > ? THEN 'current' ELSE 'baseline' END AS period, c.submitted_at - r.activated_at AS ms ` +
        `FROM records r JOIN completions c ON c.record_id = r.id WHERE ${where.sql} AND c.submitted_at > ? AND c.submitted_at <= ?`,
      timeToSql(window.currentFrom),
      ...where.values,
      timeToSql(window.baselineFrom),
      timeToSql(window.currentTo),
    ),
  );
  return reader.all<MedianRow>(sql, values);
};

const medianIn = (rows: readonly MedianRow[], period: Period): number | null => {
  const row = rows.find((of) => of.period === period);
  return row ? medianFromSql(row) : null;
};

const numberOf = (row: CountRow, name: string, period: Period): number =>
  Number(row[`${name}_${period}`] ?? 0);

const added = (a: Activity, b: Activity): Activity => ({
  records: a.records + b.records,
  completions: a.completions + b.completions,
  accepted: a.accepted + b.accepted,
  rejected: a.rejected + b.rejected,
  overturned: a.overturned + b.overturned,
  medianCompletionMs: null,
});
