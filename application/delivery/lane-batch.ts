import { MAX_ATTEMPTS } from '../../domain/delivery/attempt.ts';
import {
  deadLetterOf,
  type DeadLetter,
  type Delivery,
  type Ended,
  type Queued,
} from '../../domain/delivery/delivery.ts';
import type { Subscription } from '../../domain/delivery/subscription.ts';
import type { EventReads } from '../../domain/event/event-reads.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Ready, SendDelivery } from './send-delivery.ts';
import { eventsOf } from './webhook-rebuild.ts';

/** An attempt that is about to leave. A retry is a row of its own. */
export interface Attempt {
  readonly queued: Queued;
  readonly ready: Ready;
}

export interface Batch {
  readonly attempts: readonly Attempt[];
  /** Rows of retries, which are not there yet. */
  readonly retries: readonly Queued[];
  /** The rows before them, which no other attempt follows. */
  readonly closed: readonly Uuid[];
  /** What never leaves: it cannot be signed, or its event is not what it was. */
  readonly ended: readonly Ended[];
  readonly letters: readonly DeadLetter[];
}

export const EMPTY: Batch = { attempts: [], retries: [], closed: [], ended: [], letters: [] };

/** Builds the attempts that are next, each from its event. @param at ISO 8601. */
export const batchOf = async (
  { events, sending }: { readonly events: EventReads; readonly sending: SendDelivery },
  subscription: Subscription,
  rows: readonly Delivery[],
  at: string,
  nextId: () => Uuid,
): Promise<Batch> => {
  if (rows.length === 0) return EMPTY;
  await sending.settle(subscription);
  const found = await eventsOf(events, subscription, rows);
  const attempts: Attempt[] = [];
  const retries: Queued[] = [];
  const closed: Uuid[] = [];
  const ended: Ended[] = [];
  const letters: DeadLetter[] = [];
  for (const row of rows) {
    const event = found.get(row.eventId);
    if (!event) {
      // Told by whoever read it; nothing of it may be signed.
      ended.push({ ...row, status: 'DEAD_LETTER', reason: 'row_changed', nextRetryAt: null });
      continue;
    }
    const isRetry = row.status === 'FAILED';
    const queued: Queued = isRetry
      ? { ...plain(row), id: nextId(), attempt: row.attempt + 1, createdAt: at }
      : plain(row);
    const ready = await sending.prepare(subscription, queued, event, at);
    if (typeof ready === 'string') {
      ended.push({ ...row, status: 'DEAD_LETTER', reason: ready, nextRetryAt: null });
      const attemptsMade = isRetry ? row.attempt : 0;
      letters.push(
        deadLetterOf(row, nextId(), subscription.orgId, at, {
          reason: ready,
          attempts: attemptsMade,
          lastStatus: row.responseStatus,
        }),
      );
      continue;
    }
    if (isRetry) {
      retries.push(queued);
      closed.push(row.id);
    }
    attempts.push({ queued, ready });
  }
  return { attempts, retries, closed, ended, letters };
};

/** What a worker that died left behind: it may have been delivered, so it is sent again at once, under the same id of the event. */
export const interrupted = (
  rows: readonly Delivery[],
  orgId: Uuid,
  at: string,
  nextId: () => Uuid,
): Pick<Batch, 'ended' | 'letters'> => {
  const isLast = ({ attempt }: Delivery): boolean => attempt >= MAX_ATTEMPTS;
  return {
    ended: rows.map((row) => ({
      ...row,
      status: isLast(row) ? 'DEAD_LETTER' : 'FAILED',
      reason: 'interrupted',
      nextRetryAt: isLast(row) ? null : at,
    })),
    letters: rows.filter(isLast).map((row) =>
      deadLetterOf(row, nextId(), orgId, at, {
        reason: 'attempts_exhausted',
        attempts: row.attempt,
        lastStatus: null,
      }),
    ),
  };
};

const plain = ({
  id,
  subscriptionId,
  eventId,
  eventType,
  number,
  eventSequence,
  attempt,
  createdAt,
}: Delivery): Queued => ({
  id,
  subscriptionId,
  eventId,
  eventType,
  number,
  eventSequence,
  attempt,
  createdAt,
});
