import type { DeadLetter, Delivery } from '../../domain/delivery/delivery.ts';

/** A dead letter as the first attempt of a new delivery. It keeps the event and its number in the subscription. */
export const requeued = (letter: DeadLetter, id: string, at: string): Delivery => ({
  id,
  subscriptionId: letter.subscriptionId,
  eventId: letter.eventId,
  eventType: letter.eventType,
  number: letter.number,
  eventSequence: letter.eventSequence,
  attempt: 1,
  createdAt: at,
  status: 'PENDING',
  reason: null,
  responseStatus: null,
  responseBody: null,
  signature: null,
  bodyHash: null,
  nextRetryAt: null,
  deliveredAt: null,
});
