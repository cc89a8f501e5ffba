import type { Slice, SliceRequest } from '../../../domain/kernel/page.ts';
import type { RecordStatus } from '../../../domain/record/record-status.ts';
import type {
  HistoryFilter,
  Outcome,
  PerformedRecord,
} from '../../../domain/reputation/performance-reads.port.ts';
import type { Reader } from '../tables/reader.ts';
import {
  hexFromSql,
  orNull,
  timeFromSql,
  timeToSql,
  uuidFromSql,
  uuidToSql,
} from '../base/values.ts';
import { TOTAL_CAP } from '../listing/keyset.ts';
import { join, OUTCOME, part, type Part } from './performance-sql.ts';

/** One page, newest first, along the index of the performer's records. */
export const readHistory = async (
  reader: Reader,
  filter: HistoryFilter,
  { limit, after }: SliceRequest,
): Promise<Slice<PerformedRecord>> => {
  const asked = conditions(filter);
  const place = after
    ? [
        part('r.created_at <= ?', timeToSql(after.key)),
        part('(r.created_at < ? OR r.id < ?)', timeToSql(after.key), uuidToSql(after.id)),
      ]
    : [];
  const page = join([...asked, ...place], ' AND ');
  const all = join(asked, ' AND ');
  const [rows, [count]] = await Promise.all([
    reader.all<HistoryRow>(
      `SELECT ${COLUMNS} ${FROM} WHERE ${page.sql} ORDER BY r.created_at DESC, r.id DESC LIMIT ?`,
      [...page.values, limit + 1],
    ),
    reader.all<{ readonly n: number }>(
      `SELECT COUNT(*) AS n FROM (SELECT 1 AS one ${FROM} WHERE ${all.sql} LIMIT ${TOTAL_CAP + 1}) counted`,
      all.values,
    ),
  ]);
  const shown = rows.slice(0, limit).map(rowToPerformed);
  const total = Number(count?.n ?? 0);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    rows: shown,
    total: Math.min(total, TOTAL_CAP),
    totalIsCapped: total > TOTAL_CAP,
    next: last ? { key: last.createdAt, id: last.recordId } : null,
  };
};

interface HistoryRow {
  readonly org_id: Uint8Array;
  readonly id: Uint8Array;
  readonly type: string;
  readonly status: RecordStatus;
  readonly outcome: Outcome;
  readonly latest_completion_id: Uint8Array | null;
  readonly latest_evidence_hash: Uint8Array | null;
  readonly created_at: number;
  readonly activated_at: number;
  readonly terminal_at: number | null;
  readonly expires_at: number | null;
  readonly submitted_at: number | null;
}

const COLUMNS = `r.id AS id, r.org_id AS org_id, r.type AS type, r.status AS status, ${OUTCOME} AS outcome, r.latest_completion_id AS latest_completion_id, r.latest_evidence_hash AS latest_evidence_hash, r.created_at AS created_at, r.activated_at AS activated_at, r.terminal_at AS terminal_at, r.expires_at AS expires_at, c.submitted_at AS submitted_at`;

const FROM = 'FROM records r LEFT JOIN completions c ON c.id = r.latest_completion_id';

const conditions = (filter: HistoryFilter): readonly Part[] => [
  part('r.performer_agent_id = ?', uuidToSql(filter.agentId)),
  part('r.activated_at IS NOT NULL'),
  ...readable(filter.reader),
  ...(filter.type === undefined ? [] : [part('r.type = ?', filter.type)]),
  ...(filter.outcome === undefined ? [] : [part(`${OUTCOME} = ?`, filter.outcome)]),
  ...(filter.from === undefined ? [] : [part('r.created_at >= ?', timeToSql(filter.from))]),
  ...(filter.to === undefined ? [] : [part('r.created_at < ?', timeToSql(filter.to))]),
];

/** The records `r` that a reader may see. */
export const readable = (reader: HistoryFilter['reader']): readonly Part[] => {
  if (reader === null) return [];
  if ('agentId' in reader)
    return [
      part(
        '(r.performer_agent_id = ? OR r.principal_agent_id = ?)',
        uuidToSql(reader.agentId),
        uuidToSql(reader.agentId),
      ),
    ];
  return [
    part(
      '(r.performer_org_id = ? OR r.org_id = ?)',
      uuidToSql(reader.orgId),
      uuidToSql(reader.orgId),
    ),
  ];
};

const DECIDED: ReadonlySet<Outcome> = new Set<Outcome>(['accepted', 'rejected', 'overturned']);

const rowToPerformed = (row: HistoryRow): PerformedRecord => ({
  recordId: uuidFromSql(row.id),
  orgId: uuidFromSql(row.org_id),
  type: row.type,
  status: row.status,
  outcome: row.outcome,
  completionId: orNull(row.latest_completion_id, uuidFromSql),
  evidenceHash: orNull(row.latest_evidence_hash, hexFromSql),
  createdAt: timeFromSql(row.created_at),
  activatedAt: timeFromSql(row.activated_at),
  submittedAt: orNull(row.submitted_at, timeFromSql),
  decidedAt: DECIDED.has(row.outcome) ? orNull(row.terminal_at, timeFromSql) : null,
  completionMs:
    row.submitted_at === null ? null : Number(row.submitted_at) - Number(row.activated_at),
  expiresAt: orNull(row.expires_at, timeFromSql),
});
