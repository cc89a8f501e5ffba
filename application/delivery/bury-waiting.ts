import { deadLetterOf, type Delivery } from '../../domain/delivery/delivery.ts';
import type { DeadLetterReason } from '../../domain/delivery/attempt.ts';
import type { Subscription } from '../../domain/delivery/subscription.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';

/** In one unit of work. */
const MANY = 10_000;

/**
 * Moves what waits of a subscription to its DLQ.
 *
 * @param at ISO 8601.
 * @returns how many.
 */
export const buryWaiting = async (
  { deliveries }: Pick<Stores, 'deliveries'>,
  ids: IdSource,
  { id, orgId }: Pick<Subscription, 'id' | 'orgId'>,
  at: string,
  reason: DeadLetterReason = 'subscription_inactive',
): Promise<number> => {
  const waiting = await deliveries.allWaiting(id, MANY);
  await deliveries.bury(
    waiting.map((delivery) =>
      deadLetterOf(delivery, ids.next(), orgId, at, {
        reason,
        attempts: attemptsOf(delivery),
        lastStatus: delivery.responseStatus,
      }),
    ),
  );
  await deliveries.end(
    waiting.map((delivery) => ({
      ...delivery,
      status: 'DEAD_LETTER',
      reason: delivery.reason ?? reason,
      nextRetryAt: null,
    })),
  );
  return waiting.length;
};

/** What waits for its turn was not attempted. */
const attemptsOf = ({ status, attempt }: Delivery): number =>
  status === 'PENDING' ? attempt - 1 : attempt;
