/** The SQL that both databases share about performed records: `r` is a record, `c` its completion. */

/** The verdict on a completion as it was given: by the gates in auto mode, else by the principal; NULL while there is none. */
export const VERDICT =
  "CASE WHEN r.gate_mode = 'auto' THEN CASE c.gate_state WHEN 'PASSED' THEN 'accept' WHEN 'FAILED' THEN 'reject' END ELSE c.verdict END";

export const DECIDED_AT =
  "CASE WHEN r.gate_mode = 'auto' THEN c.gate_evaluated_at ELSE c.verdict_at END";

/**
 * The state contradicts the verdict on the latest completion: a dispute overturned it, at
 * `terminal_at`. An override replaces the verdict itself.
 */
export const OVERTURNED = `((r.status = 'FAILED' AND ${VERDICT} = 'accept') OR (r.status = 'REMEDIATED' AND COALESCE(${VERDICT}, '') <> 'accept'))`;

/** Only these states can contradict a verdict, so the completion is read for these only. */
export const CONTESTABLE = "'FAILED', 'REMEDIATED'";
export const WITH_CONTESTABLE = `LEFT JOIN completions c ON c.id = r.latest_completion_id AND r.status IN (${CONTESTABLE})`;

export const OUTCOME = `CASE WHEN ${OVERTURNED} THEN 'overturned' WHEN r.status IN ('FULFILLED', 'REMEDIATED') THEN 'accepted' WHEN r.status = 'FAILED' THEN 'rejected' WHEN r.status = 'EXPIRED' THEN 'expired' WHEN r.status = 'CANCELLED' THEN 'cancelled' ELSE 'pending' END`;

/** Statements are composed of parts that carry their own values. */
export interface Part {
  readonly sql: string;
  readonly values: readonly (string | number | Uint8Array | null)[];
}

export const part = (sql: string, ...values: Part['values']): Part => ({ sql, values });

export const join = (parts: readonly Part[], separator: string): Part => ({
  sql: parts.map(({ sql }) => sql).join(separator),
  values: parts.flatMap(({ values }) => values),
});

/** How many rows meet the condition. */
export const countOf = (condition: string): string =>
  `SUM(CASE WHEN ${condition} THEN 1 ELSE 0 END)`;

/**
 * Medians of `ms` over the rows that `rows` selects as (grouped, period, ms): one row for each group and period. The median
 * of n values is the mean of the values with a middle rank: one for an odd n, two for an even one.
 */
export const mediansOf = (rows: Part): Part =>
  part(
    `WITH measured AS (${rows.sql}), ranked AS (SELECT grouped, period, ms, ROW_NUMBER() OVER (PARTITION BY grouped, period ORDER BY ms) AS place, COUNT(*) OVER (PARTITION BY grouped, period) AS n FROM measured) ` +
      'SELECT grouped, period, AVG(ms) AS median FROM ranked WHERE 2 * place BETWEEN n AND n + 2 GROUP BY grouped, period',
    ...rows.values,
  );

export interface MedianRow {
  readonly grouped: unknown;
  readonly period: string;
  /** MySQL gives means as decimal text. */
  readonly median: number | string;
}

export const medianFromSql = ({ median }: MedianRow): number => Math.round(Number(median));
