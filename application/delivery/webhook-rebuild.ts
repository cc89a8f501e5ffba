import { mayGet, type Subscription } from '../../domain/delivery/subscription.ts';
import type { NumberedEvent } from '../../domain/event/event.ts';
import type { EventReads } from '../../domain/event/event-reads.port.ts';

interface Named {
  readonly eventId: string;
  readonly number: number;
}

/**
 * The events that deliveries or dead letters name, from the outbox, where their MACs hold: nothing is sent or shown of a
 * copy. One that is not there any more, is another one, or is not the owner's to get is left out.
 */
export const eventsOf = async (
  events: Pick<EventReads, 'numbered'>,
  subscription: Pick<Subscription, 'ownerType' | 'ownerId'> | null,
  named: readonly Named[],
): Promise<ReadonlyMap<string, NumberedEvent>> => {
  const numbers = [...new Set(named.map(({ number }) => number))].filter((number) => number > 0);
  const found = new Map((await events.numbered(numbers)).map((event) => [event.sequence, event]));
  return new Map(
    named.flatMap(({ eventId, number }) => {
      const event = found.get(number);
      return event?.id === eventId && (subscription === null || mayGet(subscription, event))
        ? [[eventId, event] as const]
        : [];
    }),
  );
};
