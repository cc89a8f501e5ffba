import type { Slice, SliceRequest } from '../kernel/page.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { RecordStatus } from '../record/record-status.ts';
import type { RecordFilter } from '../record/record-store.port.ts';
import type { BothPeriods, DriftWindow } from './drift.ts';
import type { Tally, TallyByType } from './reputation.ts';

export const OUTCOMES = [
  'pending',
  'accepted',
  'rejected',
  'overturned',
  'expired',
  'cancelled',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** One record that an agent performed. Times are ISO 8601 with milliseconds. */
export interface PerformedRecord {
  readonly recordId: Uuid;
  readonly orgId: Uuid;
  readonly type: string;
  readonly status: RecordStatus;
  readonly outcome: Outcome;
  /** The latest one. */
  readonly completionId: Uuid | null;
  readonly evidenceHash: string | null;
  readonly createdAt: string;
  readonly activatedAt: string;
  readonly submittedAt: string | null;
  /** When a verdict or a dispute set the outcome; null where nobody decided. */
  readonly decidedAt: string | null;
  readonly completionMs: number | null;
  readonly expiresAt: string | null;
}

export interface HistoryFilter {
  readonly agentId: Uuid;
  /** Whose records the caller may see. */
  readonly reader: RecordFilter['reader'];
  readonly type?: string;
  readonly outcome?: Outcome;
  /** Of creation, ISO 8601: from inclusive, to exclusive. */
  readonly from?: string;
  readonly to?: string;
}

/**
 * What agents did as performers, counted by the database from the committed rows at the moment of
 * the call. Only records that became ACTIVE count: notarized records that name a performer, and
 * proposals that were not accepted, are left out.
 */
export interface PerformanceReads {
  /**
   * Counts work for others only.
   *
   * @param now the time up to which an open deadline counts as passed.
   * @param reader whose records count; null: all of the agent's.
   */
  tally(agentId: Uuid, now: string, reader: RecordFilter['reader']): Promise<TallyByType>;
  /** The part of the tally that a score is made of. */
  verdicts(agentId: Uuid): Promise<Pick<Tally, 'accepted' | 'rejected'>>;
  /** What one agent did in both periods, overall and by type, in order of type. */
  drift(
    agentId: Uuid,
    window: DriftWindow,
  ): Promise<{
    readonly overall: BothPeriods;
    readonly byType: readonly (BothPeriods & { readonly type: string })[];
  }>;
  /** An org's active agents and those with activity in the window, by id. */
  driftOfOrg(
    orgId: Uuid,
    window: DriftWindow,
    page: { readonly limit: number; readonly after: Uuid | null },
  ): Promise<{
    readonly rows: readonly (BothPeriods & {
      readonly agentId: Uuid;
      readonly displayName: string;
    })[];
    readonly total: number;
    readonly hasMore: boolean;
  }>;
  /** Newest first. */
  history(filter: HistoryFilter, slice: SliceRequest): Promise<Slice<PerformedRecord>>;
}
