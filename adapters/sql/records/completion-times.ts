import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { RawReader } from '../base/session.ts';
import { uuidToSql } from '../base/values.ts';
import {
  join,
  medianFromSql,
  mediansOf,
  part,
  type MedianRow,
  type Part,
} from './performance-sql.ts';
import { forOthers } from './standing-counts.ts';

/** Submissions of an agent for others: how many, and the median of the time from activation that they took. */
export interface Submissions {
  readonly completions: number;
  readonly medianCompletionMs: number | null;
}

/**
 * Of all types together, and of each. They are counted among neighbours in an index, and each median stands there at its
 * place: nothing is sorted.
 *
 * @param types all that the agent performed for others.
 */
export const readSubmissions = async (
  reader: RawReader,
  agentId: Uuid,
  types: readonly string[],
): Promise<{ readonly overall: Submissions; readonly ofType: (type: string) => Submissions }> => {
  const ofAgent = part('performer_agent_id = ?', uuidToSql(agentId));
  const ofTypes = types.map((type) => join([ofAgent, part('type = ?', type)], ' AND '));
  const counts = await readTogether<{ readonly n: number }>(reader, ofTypes.map(countOf));
  const asked = ofTypes.map((where, type) => ({ where, n: Number(counts[type]![0]!.n) }));
  const total = asked.reduce((sum, { n }) => sum + n, 0);
  const overall = asked.length === 1 ? 0 : asked.push({ where: ofAgent, n: total }) - 1;
  const middles = await readTogether<{ readonly ms: number }>(reader, asked.map(middleOf));
  const submissions = (index: number): Submissions => {
    const times = middles[index]!.map(({ ms }) => Number(ms));
    const sum = times.reduce((all, ms) => all + ms, 0);
    return {
      completions: asked[index]!.n,
      medianCompletionMs: times.length === 0 ? null : Math.round(sum / times.length),
    };
  };
  return {
    overall: submissions(overall),
    ofType: (type) => submissions(types.indexOf(type)),
  };
};

/** The same of the records that meet the conditions on `r`. */
export const readSubmissionsAmong = async (
  reader: RawReader,
  agentId: Uuid,
  among: readonly Part[],
): ReturnType<typeof readSubmissions> => {
  const where = join([part(forOthers('?'), uuidToSql(agentId)), ...among], ' AND ');
  const times = (grouped: string): Part =>
    part(
      `SELECT ${grouped} AS grouped, '' AS period, c.submitted_at - r.activated_at AS ms FROM records r JOIN completions c ON c.record_id = r.id WHERE ${where.sql}`,
      ...where.values,
    );
  const count = part(
    `SELECT r.type AS type, COUNT(*) AS n FROM records r JOIN completions c ON c.record_id = r.id WHERE ${where.sql} GROUP BY r.type`,
    ...where.values,
  );
  const all = <Row>({ sql, values }: Part): Promise<readonly Row[]> => reader.all<Row>(sql, values);
  const [counts, medians, overall] = await Promise.all([
    all<{ readonly type: string; readonly n: number }>(count),
    all<MedianRow>(mediansOf(times('r.type'))),
    all<MedianRow>(mediansOf(times("''"))),
  ]);
  const median = (rows: readonly MedianRow[], grouped: string): number | null => {
    const row = rows.find((one) => one.grouped === grouped);
    return row ? medianFromSql(row) : null;
  };
  return {
    overall: {
      completions: counts.reduce((sum, { n }) => sum + Number(n), 0),
      medianCompletionMs: median(overall, ''),
    },
    ofType: (type) => ({
      completions: Number(counts.find((one) => one.type === type)?.n ?? 0),
      medianCompletionMs: median(medians, type),
    }),
  };
};

const countOf = ({ sql, values }: Part, asked: number): Part =>
  part(`SELECT ${asked} AS asked, COUNT(*) AS n FROM completion_times WHERE ${sql}`, ...values);

/** The value with the middle rank of an odd number, those with the two middle ranks of an even one. */
const middleOf = (
  { where, n }: { readonly where: Part; readonly n: number },
  asked: number,
): Part =>
  part(
    `SELECT ${asked} AS asked, ms FROM (SELECT elapsed_ms AS ms FROM completion_times WHERE ${where.sql} ORDER BY elapsed_ms LIMIT ${2 - (n % 2)} OFFSET ${Math.max(0, (n - 1) >> 1)}) middle_${asked}`,
    ...where.values,
  );

/** The rows of each question, in order of the questions. */
const readTogether = async <Row>(
  reader: RawReader,
  questions: readonly Part[],
): Promise<readonly (readonly Row[])[]> => {
  const answers: Row[][] = questions.map(() => []);
  for (let from = 0; from < questions.length; from += TOGETHER) {
    const { sql, values } = join(questions.slice(from, from + TOGETHER), ' UNION ALL ');
    const rows = await reader.all<Row & { readonly asked: number }>(sql, values);
    for (const row of rows) answers[Number(row.asked)]!.push(row);
  }
  return answers;
};

/** SQLite takes 500 at most. */
const TOGETHER = 100;
