import type { Uuid } from '../kernel/ids.ts';
import { plusSeconds } from '../kernel/instant.ts';
import type { RecordChange } from './record-change.ts';
import type { RecordState, Side } from './record-state.ts';
import { TERMINAL, type RecordStatus } from './record-status.ts';

/** The advice to whoever holds the money. */
export type Recommendation = 'SETTLE' | 'HOLD' | 'RELEASE';

/** How a record ended. */
export type Ending = Pick<RecordState, 'status' | 'latestCompletionId' | 'cancelledBy'>;

/** What says until when an ending can be disputed. */
type DisputableEnding = Ending &
  Pick<
    RecordState,
    | 'terminalAt'
    | 'updatedAt'
    | 'disputeWindowSeconds'
    | 'disputed'
    | 'disputeCount'
    | 'maxDisputes'
  >;

/** A change, as far as it moves money. */
interface SettledChange {
  readonly before: Pick<RecordState, 'status'> | null;
  readonly after: DisputableEnding;
  readonly transition: Pick<RecordChange['transition'], 'entry'>;
}

/** The side that lost and may dispute the outcome; null if nobody may. */
export const losingSide = (record: Ending): Side | null => {
  switch (record.status) {
    case 'FULFILLED':
      return 'principal';
    case 'FAILED':
      return 'performer';
    case 'EXPIRED':
      return record.latestCompletionId === null ? null : 'performer';
    case 'CANCELLED':
      return record.latestCompletionId === null || record.cancelledBy !== 'principal'
        ? null
        : 'performer';
    default:
      return null;
  }
};

/** The end of the dispute window, which is no longer part of it; null if the outcome can never be disputed. */
export const disputableUntil = (
  record: Ending & Pick<RecordState, 'terminalAt' | 'disputeWindowSeconds'>,
): string | null =>
  losingSide(record) === null || record.terminalAt === null
    ? null
    : plusSeconds(record.terminalAt, record.disputeWindowSeconds);

/** Whether a dispute may be opened at a time: by the losing side, within the window, under the cap, with none open. */
export const isDisputable = (record: DisputableEnding, now: string): boolean => {
  const until = disputableUntil(record);
  return (
    until !== null && now < until && !record.disputed && record.disputeCount < record.maxDisputes
  );
};

/** From then on nothing changes the outcome of a record any more, ISO 8601; null while something may. */
export const lastPossibleChange = (record: DisputableEnding): string | null => {
  if (!TERMINAL.has(record.status) || record.disputed) return null;
  const until = disputableUntil(record);
  const mayBeDisputed = until !== null && record.disputeCount < record.maxDisputes;
  return mayBeDisputed && until > record.updatedAt ? until : record.updatedAt;
};

/** The recommendation that follows from a change; null if it moves no money. */
export const recommendationAfter = (
  change: RecordChange | SettledChange,
): Recommendation | null => {
  const { after, before, transition } = change;
  switch (transition.entry) {
    case 'DISPUTE_OPENED':
      return 'HOLD';
    case 'DISPUTE_RESOLVED':
      return PERFORMED.has(after.status) ? 'SETTLE' : 'RELEASE';
    case 'DISPUTE_WITHDRAWN':
      return PERFORMED.has(after.status) ? 'SETTLE' : holdOrRelease(after);
    default:
      return before && before.status !== after.status && TERMINAL.has(after.status)
        ? atTheEnd(before, after)
        : null;
  }
};

const atTheEnd = (
  before: Pick<RecordState, 'status'>,
  after: DisputableEnding,
): Recommendation | null => {
  if (PERFORMED.has(after.status)) return 'SETTLE';
  if (after.status === 'FAILED') return holdOrRelease(after);
  // Nothing was at stake before the work began.
  if (before.status !== 'ACTIVE' && before.status !== 'REVISION_REQUESTED') return null;
  return holdOrRelease(after);
};

/** For the principal, unless the performer may still object. */
const holdOrRelease = (record: DisputableEnding): Recommendation =>
  isDisputable(record, record.updatedAt) ? 'HOLD' : 'RELEASE';

/** Outcomes for the performer. */
const PERFORMED: ReadonlySet<RecordStatus> = new Set<RecordStatus>(['FULFILLED', 'REMEDIATED']);

/** Whether a recommendation can follow from an outcome, for the check of a chain. */
export const mayRecommend = (
  outcome: unknown,
  recommendation: unknown,
  disputed: boolean,
): boolean => {
  if (disputed) return recommendation === 'HOLD';
  if ((PERFORMED as ReadonlySet<unknown>).has(outcome)) return recommendation === 'SETTLE';
  return (
    (outcome === 'FAILED' || outcome === 'EXPIRED' || outcome === 'CANCELLED') &&
    (recommendation === 'HOLD' || recommendation === 'RELEASE')
  );
};

/** A recommendation about to be sealed. */
export interface Signal {
  readonly signalId: Uuid;
  readonly supersedes: Uuid | null;
  readonly recommendation: Recommendation;
  /** The dispute that caused it. */
  readonly disputeId: Uuid | null;
}

/** The record with its new signal, and the deadline that follows from the signal. */
export const signalled = (
  record: RecordState,
  recommendation: Recommendation,
  signalId: Uuid,
  disputeId: Uuid | null,
): { readonly record: RecordState; readonly signal: Signal } => ({
  record: {
    ...record,
    latestSignalId: signalId,
    disputeDeadline: record.disputed
      ? record.disputeDeadline
      : recommendation === 'HOLD'
        ? disputableUntil(record)
        : null,
  },
  signal: { signalId, supersedes: record.latestSignalId, recommendation, disputeId },
});
