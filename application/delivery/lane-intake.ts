import { refuses, type Circuit } from '../../domain/delivery/circuit.ts';
import { deadLetterOf, type DeadLetter, type Queued } from '../../domain/delivery/delivery.ts';
import {
  ANY,
  isFor,
  viewerOf,
  waitedAtEnd,
  type Subscription,
} from '../../domain/delivery/subscription.ts';
import type { Reader } from '../../domain/delivery/webhook-store.port.ts';
import type { NumberedEvent } from '../../domain/event/event.ts';
import type { EventType } from '../../domain/event/event-types.ts';
import type { EventReads } from '../../domain/event/event-reads.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';

/** Events of one look. */
export const PAGE = 500;

/** Events that were read after a position, with what they need to be queued. */
export interface Intake {
  readonly after: number;
  readonly through: number;
  readonly hasMore: boolean;
  readonly events: readonly { readonly event: NumberedEvent; readonly id: Uuid }[];
}

/** The next events that are for the subscription; null where there is nothing new. */
export const intakeOf = async (
  events: EventReads,
  subscription: Subscription,
  position: number,
  nextId: () => Uuid,
): Promise<Intake | null> => {
  const { eventTypes, recordId } = subscription;
  const page = await events.after({
    viewer: viewerOf(subscription),
    filter: {
      ...(recordId === null ? {} : { recordId }),
      ...(eventTypes.includes(ANY) ? {} : { types: eventTypes as EventType[] }),
    },
    after: position,
    limit: PAGE,
  });
  if (page.through === position) return null;
  return {
    after: position,
    through: page.through,
    hasMore: page.hasMore,
    events: page.events
      .filter((event) => isFor(subscription, event))
      .map((event) => ({ event, id: nextId() })),
  };
};

export interface TakenIn {
  readonly queued: readonly Queued[];
  readonly refused: readonly DeadLetter[];
  readonly reader: Reader;
}

/**
 * Gives each event its number in the subscription. What waited when that became inactive is refused, and what happened
 * while the circuit was open.
 */
export const takeIn = (
  intake: Intake,
  reader: Reader,
  circuit: Circuit,
  subscription: Pick<Subscription, 'id' | 'orgId' | 'gaps'>,
  at: string,
): TakenIn => {
  const queued: Queued[] = [];
  const refused: DeadLetter[] = [];
  let { eventSequence } = reader;
  for (const { event, id } of intake.events) {
    const next: Queued = {
      id,
      subscriptionId: subscription.id,
      eventId: event.id,
      eventType: event.type,
      number: event.sequence,
      eventSequence: ++eventSequence,
      attempt: 1,
      createdAt: at,
    };
    const reason = waitedAtEnd(subscription, event.sequence)
      ? 'subscription_inactive'
      : refuses(circuit, event.createdAt)
        ? 'circuit_open'
        : null;
    if (reason === null) queued.push(next);
    else
      refused.push(
        deadLetterOf(next, id, subscription.orgId, at, { reason, attempts: 0, lastStatus: null }),
      );
  }
  return { queued, refused, reader: { ...reader, eventSequence, position: intake.through } };
};
