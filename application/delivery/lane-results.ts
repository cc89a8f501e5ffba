import { MAX_ATTEMPTS, verdictOf, type Verdict } from '../../domain/delivery/attempt.ts';
import { failed, probeAt, succeeded, type Circuit } from '../../domain/delivery/circuit.ts';
import {
  deadLetterOf,
  type DeadLetter,
  type Ended,
  type Queued,
} from '../../domain/delivery/delivery.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Sent } from './send-delivery.ts';

/** What came of a request, as it is to be written. */
export interface Result {
  readonly verdict: Verdict;
  /** ISO 8601. */
  readonly at: string;
  readonly ended: Ended;
  readonly letter: DeadLetter | null;
}

/** @param at ISO 8601. @param chance 0 to 1. */
export const resultOf = (
  queued: Queued,
  { outcome, responseBody }: Sent,
  orgId: Uuid,
  at: string,
  chance: number,
  nextId: () => Uuid,
): Result => {
  const verdict = verdictOf(outcome, queued.attempt, chance);
  const responseStatus = outcome.kind === 'answered' ? outcome.status : null;
  const dead = verdict.kind === 'dead' ? verdict.reason : null;
  return {
    verdict,
    at,
    ended: {
      id: queued.id,
      status: dead ? 'DEAD_LETTER' : verdict.kind === 'retry' ? 'FAILED' : 'DELIVERED',
      reason: dead ?? (outcome.kind === 'unreachable' ? 'unreachable' : null),
      responseStatus,
      responseBody,
      nextRetryAt:
        verdict.kind === 'retry' ? new Date(Date.parse(at) + verdict.afterMs).toISOString() : null,
      deliveredAt: verdict.kind === 'delivered' ? at : null,
    },
    letter: dead
      ? deadLetterOf(queued, nextId(), orgId, at, {
          reason: dead,
          attempts: Math.min(queued.attempt, MAX_ATTEMPTS),
          lastStatus: responseStatus,
        })
      : null,
  };
};

/** The breaker after these requests. */
export const circuitAfter = (circuit: Circuit, results: readonly Result[]): Circuit =>
  results.reduce((so, { verdict, at }) => {
    if (verdict.kind === 'delivered') return succeeded(so, at);
    return verdict.kind === 'retry' || verdict.counts ? failed(so, at) : so;
  }, circuit);

/** Due, and not woken. */
export const AT_ONCE = new Date(1).toISOString();

/** When there is something to do besides new events, ISO 8601; null for never. */
export const dueOf = (
  circuit: Circuit,
  results: readonly Result[],
  nextRetryAt: string | null,
  isWaiting: boolean,
): string | null => {
  const retryAt = earliest([...results.map(({ ended }) => ended.nextRetryAt), nextRetryAt]);
  if (circuit.state === 'closed') return isWaiting ? AT_ONCE : retryAt;
  const probe = probeAt(circuit);
  if (probe === null || isWaiting) return probe;
  return retryAt === null || retryAt > probe ? retryAt : probe;
};

const earliest = (times: readonly (string | null)[]): string | null =>
  times.reduce(
    (soonest, at) => (at !== null && (soonest === null || at < soonest) ? at : soonest),
    null,
  );
