import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../../domain/kernel/page.ts';
import type { RecordStatus } from '../../../domain/record/record-status.ts';
import type { DriftWindow } from '../../../domain/reputation/drift.ts';
import type {
  HistoryFilter,
  PerformanceReads,
  PerformedRecord,
} from '../../../domain/reputation/performance-reads.port.ts';
import type { Tally, TallyByType } from '../../../domain/reputation/reputation.ts';
import type { Dialect } from '../base/dialect.ts';
import type { RawReader, SqlValue } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import { timeFromSql, uuidToSql } from '../base/values.ts';
import { readDrift, readDriftOfOrg } from './drift-reads.ts';
import { readable, readHistory } from './history-reads.ts';
import { readSubmissions, readSubmissionsAmong, type Submissions } from './completion-times.ts';
import { readStandingCounts, type StandingCount } from './standing-counts.ts';

export class SqlPerformanceReads implements PerformanceReads {
  /** @param wide for agents that performed many records; null where their reads hold up nobody. */
  constructor(
    private readonly reader: Reader,
    private readonly dialect: Dialect,
    private readonly wide: RawReader | null,
  ) {}

  async tally(agentId: Uuid, now: string, ofReader: HistoryFilter['reader']): Promise<TallyByType> {
    const reader = await this.readerFor(PERFORMED, [uuidToSql(agentId)]);
    const among = readable(ofReader);
    const counts = await readStandingCounts(reader, this.dialect, agentId, now, among);
    const types = [...new Set(counts.map(({ type }) => type))];
    const submissions = await (ofReader === null
      ? readSubmissions(reader, agentId, types)
      : readSubmissionsAmong(reader, agentId, among));
    return {
      overall: tallyOf(counts, submissions.overall),
      byType: types.map((type) => ({
        type,
        ...tallyOf(
          counts.filter((count) => count.type === type),
          submissions.ofType(type),
        ),
      })),
      since:
        counts.length === 0 ? null : timeFromSql(Math.min(...counts.map(({ since }) => since))),
    };
  }

  async verdicts(agentId: Uuid): Promise<Pick<Tally, 'accepted' | 'rejected'>> {
    const reader = await this.readerFor(PERFORMED, [uuidToSql(agentId)]);
    return verdictsOf(await readStandingCounts(reader, this.dialect, agentId, null));
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

/** Records, whose sums take some milliseconds. */
const FEW = 1_000;

const PERFORMED = 'SELECT 1 FROM records r WHERE r.performer_agent_id = ?';
const PERFORMED_IN =
  'SELECT 1 FROM agents a JOIN records r ON r.performer_agent_id = a.id WHERE a.org_id = ?';

const tallyOf = (
  counts: readonly StandingCount[],
  { completions, medianCompletionMs }: Submissions,
): Tally => ({
  records: sumOf(counts, ({ records }) => records),
  completions,
  ...verdictsOf(counts),
  overturned: sumOf(counts, ({ overturned }) => overturned),
  expired: sumOf(counts, ({ status, records, overdue }) =>
    status === 'EXPIRED' ? records : overdue,
  ),
  medianCompletionMs,
});

const verdictsOf = (counts: readonly StandingCount[]): Pick<Tally, 'accepted' | 'rejected'> => ({
  accepted: sumOf(counts, ({ status, records }) => (ACCEPTED.has(status) ? records : 0)),
  rejected: sumOf(counts, ({ status, records }) => (status === 'FAILED' ? records : 0)),
});

const ACCEPTED: ReadonlySet<RecordStatus> = new Set<RecordStatus>(['FULFILLED', 'REMEDIATED']);

const sumOf = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);
