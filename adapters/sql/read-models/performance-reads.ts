import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../../domain/kernel/page.ts';
import type { DriftWindow } from '../../../domain/reputation/drift.ts';
import type {
  HistoryFilter,
  PerformanceReads,
  PerformedRecord,
} from '../../../domain/reputation/performance-reads.port.ts';
import type { Tally, TallyByType } from '../../../domain/reputation/reputation.ts';
import type { RawReader, Reader, SqlValue } from '../session.ts';
import { timeFromSql, timeToSql, uuidToSql } from '../values.ts';
import { readDrift, readDriftOfOrg } from './drift-reads.ts';
import { readHistory } from './history-reads.ts';
import { readSubmissions, type Submissions } from './completion-times.ts';
import { CONTESTABLE, countOf, OVERTURNED } from './performance-sql.ts';

export class SqlPerformanceReads implements PerformanceReads {
  /** @param wide for agents that performed many records; null where their reads hold up nobody. */
  constructor(
    private readonly reader: Reader,
    private readonly wide: RawReader | null,
  ) {}

  async tally(agentId: Uuid, now: string): Promise<TallyByType> {
    const id = uuidToSql(agentId);
    const reader = await this.readerFor(PERFORMED, [id]);
    const [rows, contested, submissions] = await Promise.all([
      reader.all<TallyRow>(TALLY, [timeToSql(now), id]),
      reader.all<OverturnedRow>(CONTESTED, [id]),
      readSubmissions(reader, agentId),
    ]);
    const overturned = new Map(contested.map((row) => [row.type, Number(row.overturned)]));
    const byType = rows.map((row) => ({
      type: row.type,
      ...tallyOf(row, overturned.get(row.type) ?? 0, submissions.ofType(row.type)),
    }));
    const sum = (name: 'records' | 'accepted' | 'rejected' | 'overturned' | 'expired'): number =>
      byType.reduce((total, row) => total + row[name], 0);
    return {
      overall: {
        medianCompletionMs: submissions.overall.medianCompletionMs,
        records: sum('records'),
        completions: submissions.overall.completions,
        accepted: sum('accepted'),
        rejected: sum('rejected'),
        overturned: sum('overturned'),
        expired: sum('expired'),
      },
      byType,
      since:
        rows.length === 0 ? null : timeFromSql(Math.min(...rows.map((row) => Number(row.since)))),
    };
  }

  async verdicts(agentId: Uuid): Promise<Pick<Tally, 'accepted' | 'rejected'>> {
    const id = uuidToSql(agentId);
    const reader = await this.readerFor(PERFORMED, [id]);
    const [row] = await reader.all<{
      readonly accepted: number | null;
      readonly rejected: number | null;
    }>(VERDICTS, [id]);
    return { accepted: Number(row?.accepted ?? 0), rejected: Number(row?.rejected ?? 0) };
  }

  async drift(agentId: Uuid, window: DriftWindow): ReturnType<PerformanceReads['drift']> {
    const reader = await this.readerFor(PERFORMED, [uuidToSql(agentId)]);
    return readDrift(reader, agentId, window);
  }

  async driftOfOrg(
    orgId: Uuid,
    window: DriftWindow,
    page: { readonly limit: number; readonly after: Uuid | null },
  ): ReturnType<PerformanceReads['driftOfOrg']> {
    const reader = await this.readerFor(PERFORMED_IN, [uuidToSql(orgId)]);
    return readDriftOfOrg(reader, orgId, window, page);
  }

  history(filter: HistoryFilter, slice: SliceRequest): Promise<Slice<PerformedRecord>> {
    return readHistory(this.reader, filter, slice);
  }

  private async readerFor(performed: string, values: readonly SqlValue[]): Promise<RawReader> {
    if (!this.wide) return this.reader;
    const [row] = await this.reader.all<{ readonly n: number }>(
      `SELECT COUNT(*) AS n FROM (${performed} LIMIT ?) few`,
      [...values, FEW + 1],
    );
    return row!.n > FEW ? this.wide : this.reader;
  }
}

interface TallyRow {
  readonly type: string;
  readonly records: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly expired: number;
  readonly since: number;
}

interface OverturnedRow {
  readonly type: string;
  readonly overturned: number;
}

/** Records, whose sums take some milliseconds. */
const FEW = 1_000;

const PERFORMED = 'SELECT 1 FROM records r WHERE r.performer_agent_id = ?';
const PERFORMED_IN =
  'SELECT 1 FROM agents a JOIN records r ON r.performer_agent_id = a.id WHERE a.org_id = ?';

const FOR_OTHERS =
  'r.performer_agent_id = ? AND r.activated_at IS NOT NULL AND r.principal_agent_id <> r.performer_agent_id';

const ACCEPTED = "r.status IN ('FULFILLED', 'REMEDIATED')";
const REJECTED = "r.status = 'FAILED'";

const TALLY =
  `SELECT r.type AS type, COUNT(*) AS records, ${countOf(ACCEPTED)} AS accepted, ${countOf(REJECTED)} AS rejected, ` +
  `${countOf("r.status = 'EXPIRED' OR (r.status IN ('ACTIVE', 'REVISION_REQUESTED') AND r.expires_at <= ?)")} AS expired, MIN(r.created_at) AS since ` +
  `FROM records r WHERE ${FOR_OTHERS} GROUP BY r.type ORDER BY r.type`;

/** By itself, since it alone needs the completions, of the few records that can contradict theirs. */
const CONTESTED = `SELECT r.type AS type, ${countOf(OVERTURNED)} AS overturned FROM records r LEFT JOIN completions c ON c.id = r.latest_completion_id WHERE ${FOR_OTHERS} AND r.status IN (${CONTESTABLE}) GROUP BY r.type`;

const VERDICTS = `SELECT ${countOf(ACCEPTED)} AS accepted, ${countOf(REJECTED)} AS rejected FROM records r WHERE ${FOR_OTHERS}`;

/** MySQL gives sums as decimal text. */
const tallyOf = (
  row: TallyRow,
  overturned: number,
  { completions, medianCompletionMs }: Submissions,
): Tally => ({
  records: Number(row.records),
  completions,
  accepted: Number(row.accepted),
  rejected: Number(row.rejected),
  overturned,
  expired: Number(row.expired),
  medianCompletionMs,
});
