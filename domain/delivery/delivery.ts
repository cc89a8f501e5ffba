import type { Uuid } from '../kernel/ids.ts';
import type { DeadLetterReason } from './attempt.ts';

/** DLQ entries are kept for so long, ms. */
export const DEAD_LETTER_MS = 7 * 86_400_000;
/** Deliveries are kept for so long, ms. */
export const DELIVERY_MS = 30 * 86_400_000;

export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED' | 'DEAD_LETTER';

/** An event that a subscription has read: it names the event, and what is sent is built anew from that. */
export interface Queued {
  /** Also X-Service-Delivery. */
  readonly id: Uuid;
  readonly subscriptionId: Uuid;
  readonly eventId: Uuid;
  readonly eventType: string;
  /** The number of the event; 0 of a ping. */
  readonly number: number;
  /** 1, 2, 3 … of the subscription; a later attempt keeps it. 0 of a ping. */
  readonly eventSequence: number;
  readonly attempt: number;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** One attempt. */
export interface Delivery extends Queued {
  readonly status: DeliveryStatus;
  /** Why it is no success, where the answer does not say it. */
  readonly reason: DeadLetterReason | 'interrupted' | 'unreachable' | 'row_changed' | null;
  /** Null where there was no answer. */
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  /** As it was sent; null before. */
  readonly signature: string | null;
  /** The exact bytes that were signed, as they are kept; null before. */
  readonly bodyHash: string | null;
  /** ISO 8601. */
  readonly nextRetryAt: string | null;
  readonly deliveredAt: string | null;
}

/** What is written of a delivery before its request leaves. */
export interface Signed {
  readonly id: Uuid;
  readonly signature: string;
  readonly body: Uint8Array;
  /** SHA-256 of the body, lowercase hex. */
  readonly bodyHash: string;
}

/** What is written of it afterwards. */
export type Ended = Pick<
  Delivery,
  'id' | 'status' | 'reason' | 'responseStatus' | 'responseBody' | 'nextRetryAt' | 'deliveredAt'
>;

/** An event that was not delivered. */
export interface DeadLetter {
  readonly id: Uuid;
  readonly subscriptionId: Uuid;
  readonly orgId: Uuid;
  readonly eventId: Uuid;
  readonly eventType: string;
  readonly number: number;
  readonly eventSequence: number;
  readonly reason: DeadLetterReason;
  readonly attempts: number;
  readonly lastStatus: number | null;
  /** ISO 8601, both. */
  readonly createdAt: string;
  readonly expiresAt: string;
}

export const deadLetterOf = (
  queued: Queued,
  id: Uuid,
  orgId: Uuid,
  at: string,
  why: {
    readonly reason: DeadLetterReason;
    readonly attempts: number;
    readonly lastStatus: number | null;
  },
): DeadLetter => ({
  id,
  subscriptionId: queued.subscriptionId,
  orgId,
  eventId: queued.eventId,
  eventType: queued.eventType,
  number: queued.number,
  eventSequence: queued.eventSequence,
  ...why,
  createdAt: at,
  expiresAt: new Date(Date.parse(at) + DEAD_LETTER_MS).toISOString(),
});
