import type { Mark } from '../../domain/delivery/subscription.ts';
import type { EventReads } from '../../domain/event/event-reads.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';

/** Marks this moment. Call it before the unit of work that begins or ends something at it. */
export const markNow = async (events: Pick<EventReads, 'settled'>, clock: Clock): Promise<Mark> => {
  const number = await events.settled();
  return { number, at: clock.now().toISOString() };
};
