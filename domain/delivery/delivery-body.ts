import { canonicalJsonBytes, type JsonObject } from '../kernel/canonical-json.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { DomainEvent } from '../event/event.ts';

/** What a webhook may choose. */
export type WebhookFormat = 'standard' | 'cloudevents';
/** `a2a`: a push notification of A2A, whose body a front-end gives its form. */
export type DeliveryFormat = WebhookFormat | 'a2a';

/** What a delivery takes of an event. */
export type DeliveredEvent = Pick<
  DomainEvent,
  'id' | 'type' | 'orgId' | 'recordId' | 'recordType' | 'agentId' | 'data' | 'createdAt'
>;

/** What a delivery takes of its subscription. */
export interface DeliveryTarget {
  readonly subscriptionId: Uuid;
  /** The org of the subscription, not that of the event. */
  readonly orgId: Uuid;
  readonly url: string;
  /** 1, 2, 3 … in this subscription; 0 of a ping. */
  readonly eventSequence: number;
  readonly format: WebhookFormat;
}

/** A ping is delivered like an event, and is none: it stands in no outbox. */
export type DeliveredType = DomainEvent['type'] | 'webhook.ping';

/**
 * The bytes that are signed and sent: canonical JSON (RFC 8785), so that two nodes, two databases and two attempts give
 * the same ones.
 *
 * A signature covers no address. So the data say whom they are meant for, beside what the event itself holds: a body
 * that is sent on to another receiver names the first one.
 *
 * @param source the public URL of the service, which with the id makes an event of CloudEvents unique.
 */
export const deliveryBody = (
  event: Omit<DeliveredEvent, 'type'> & { readonly type: DeliveredType },
  to: DeliveryTarget,
  source: string,
): Uint8Array => {
  const envelope = envelopeOf(event, to);
  return canonicalJsonBytes(
    to.format === 'standard' ? envelope : cloudEventOf(event, envelope, source),
  );
};

/** The media type of the body. */
export const CONTENT_TYPES = {
  standard: 'application/json',
  cloudevents: 'application/cloudevents+json; charset=utf-8',
} as const satisfies Record<WebhookFormat, string>;

/** Members of the data that name the receiver. No event has members of these names. */
export const RECEIVER_MEMBERS = ['orgId', 'subscriptionId', 'audience'] as const;

/** An event as a receiver gets it, with the members that name the receiver. */
export const envelopeOf = (
  {
    id,
    type,
    recordId,
    data,
    createdAt,
  }: Omit<DeliveredEvent, 'type'> & { readonly type: DeliveredType },
  { subscriptionId, orgId, url, eventSequence }: Omit<DeliveryTarget, 'format'>,
): JsonObject => ({
  id,
  type,
  recordId,
  data: { ...data, orgId, subscriptionId, audience: url },
  eventSequence,
  createdAt,
});

/** Structured mode of CloudEvents 1.0. A member without a value is left out: null is no value there (section 3.1). */
const cloudEventOf = (
  {
    id,
    type,
    recordId,
    createdAt,
  }: Pick<DeliveredEvent, 'id' | 'recordId' | 'createdAt'> & { readonly type: DeliveredType },
  envelope: JsonObject,
  source: string,
): JsonObject => ({
  specversion: '1.0',
  id,
  source,
  type,
  ...(recordId === null ? {} : { subject: recordId }),
  time: createdAt,
  datacontenttype: 'application/json',
  data: envelope,
});
