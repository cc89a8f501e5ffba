import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { RawReader } from '../session.ts';
import { uuidToSql } from '../values.ts';
import { join, part, type Part } from './performance-sql.ts';

/** Submissions of an agent for others: how many, and the median of the time from activation that they took. */
export interface Submissions {
  readonly completions: number;
  readonly medianCompletionMs: number | null;
}

/** Of all types together, and of each. They are counted in an index, and each median stands there at its place: nothing is sorted. */
export const readSubmissions = async (
  reader: RawReader,
  agentId: Uuid,
): Promise<{ readonly overall: Submissions; readonly ofType: (type: string) => Submissions }> => {
  const id = uuidToSql(agentId);
  const counted = await reader.all<{ readonly type: string; readonly n: number }>(COUNT, [id]);
  const counts = counted.map(({ type, n }) => ({ type, n: Number(n) }));
  const total = counts.reduce((sum, { n }) => sum + n, 0);
  if (total === 0) return { overall: NONE, ofType: () => NONE };
  const { sql, values } = join(
    [
      middleOf(0, total, part('performer_agent_id = ?', id)),
      ...counts.map(({ type, n }, index) =>
        middleOf(index + 1, n, part('performer_agent_id = ? AND type = ?', id, type)),
      ),
    ],
    ' UNION ALL ',
  );
  const middle = await reader.all<{ readonly asked: number; readonly ms: number }>(sql, values);
  const submissions = (asked: number, completions: number): Submissions => {
    const times = middle.filter((row) => Number(row.asked) === asked).map(({ ms }) => Number(ms));
    const sum = times.reduce((all, ms) => all + ms, 0);
    return { completions, medianCompletionMs: Math.round(sum / times.length) };
  };
  const byType = new Map(counts.map(({ type, n }, index) => [type, submissions(index + 1, n)]));
  return { overall: submissions(0, total), ofType: (type) => byType.get(type) ?? NONE };
};

const NONE: Submissions = { completions: 0, medianCompletionMs: null };

const COUNT =
  'SELECT type, COUNT(*) AS n FROM completion_times WHERE performer_agent_id = ? GROUP BY type ORDER BY type';

/** The value with the middle rank of an odd number, those with the two middle ranks of an even one. */
const middleOf = (asked: number, count: number, { sql, values }: Part): Part =>
  part(
    `SELECT ${asked} AS asked, ms FROM (SELECT elapsed_ms AS ms FROM completion_times WHERE ${sql} ORDER BY elapsed_ms LIMIT ${2 - (count % 2)} OFFSET ${(count - 1) >> 1}) middle_${asked}`,
    ...values,
  );
