import { Type } from 'typebox';
import { isActive } from '../../domain/delivery/subscription.ts';
import type { DeadLetter, Delivery } from '../../domain/delivery/delivery.ts';
import type { Subscription } from '../../domain/delivery/subscription.ts';
import type { NumberedEvent } from '../../domain/event/event.ts';
import type { Guide } from '../call/guide.ts';
import { GUIDANCE, nullable, oneOf, orNull, Timestamp, Uuid } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import { EventSchema, eventView } from '../event/event-view.ts';

const DELIVERY_MEMBERS = {
  id: { ...Uuid, description: 'As in X-Service-Delivery: of this attempt' },
  eventId: Uuid,
  eventType: Type.String(),
  eventSequence: Type.Integer({ minimum: 0, description: '0 of a ping' }),
  status: oneOf(['PENDING', 'DELIVERED', 'FAILED', 'DEAD_LETTER']),
  reason: nullable(
    Type.String({ description: 'Why it is no success, where the answer does not say it' }),
  ),
  attemptNumber: Type.Integer({ minimum: 1 }),
  responseStatus: nullable(Type.Integer({ description: 'Null where there was no answer' })),
  responseBody: nullable(
    Type.String({ description: 'Its first 2 KiB; null of private receivers' }),
  ),
  signature: nullable(Type.String()),
  requestBody: nullable(Type.String({ description: 'The exact bytes that were signed' })),
  nextRetryAt: nullable(Timestamp),
  createdAt: Timestamp,
  deliveredAt: nullable(Timestamp),
};

export const DeliverySchema = Type.Object(DELIVERY_MEMBERS);
export const DeliveriesSchema = Type.Object({ data: Type.Array(DeliverySchema) });
export const NewDeliverySchema = Type.Object({ ...DELIVERY_MEMBERS, ...GUIDANCE });

export interface ShownDelivery {
  readonly delivery: Delivery;
  readonly body: Uint8Array | null;
}

export const deliveryView = ({ delivery, body }: ShownDelivery): ViewOf<typeof DeliverySchema> => ({
  id: delivery.id,
  eventId: delivery.eventId,
  eventType: delivery.eventType,
  eventSequence: delivery.eventSequence,
  status: delivery.status,
  reason: delivery.reason,
  attemptNumber: delivery.attempt,
  responseStatus: delivery.responseStatus,
  responseBody: delivery.responseBody,
  signature: delivery.signature,
  requestBody: body === null ? null : new TextDecoder().decode(body),
  nextRetryAt: delivery.nextRetryAt,
  createdAt: delivery.createdAt,
  deliveredAt: delivery.deliveredAt,
});

/** Also in the examples of the answers. */
export const QUEUED = 'It is sent again at once, under the id of its event.';
export const ANSWERED = 'The receiver answered the ping with success.';
const NOT_ANSWERED =
  'The receiver did not answer the ping with success: reason, responseStatus and responseBody say what came.';

const deliveriesStep = (webhookId: string) => ({
  action: 'view-deliveries',
  operation: 'listWebhookDeliveries',
  input: { webhookId },
  description: 'Read what was sent, and what was answered',
});

export const newDeliveryView = (
  shown: ShownDelivery,
  guide: Guide,
): ViewOf<typeof NewDeliverySchema> => ({
  ...deliveryView(shown),
  suggestion:
    shown.delivery.number > 0
      ? QUEUED
      : shown.delivery.status === 'DELIVERED'
        ? ANSWERED
        : NOT_ANSWERED,
  nextSteps: guide.steps(deliveriesStep(shown.delivery.subscriptionId)),
});

const DEAD_LETTER_MEMBERS = {
  id: Uuid,
  subscriptionId: Uuid,
  eventId: Uuid,
  eventType: Type.String(),
  event: orNull(EventSchema),
  reason: Type.String(),
  attempts: Type.Integer({ minimum: 0 }),
  lastStatus: nullable(Type.Integer()),
  createdAt: Timestamp,
  expiresAt: Timestamp,
};
export const DeadLetterSchema = Type.Object(DEAD_LETTER_MEMBERS);
export const AdminDeadLetterSchema = Type.Object({
  ...DEAD_LETTER_MEMBERS,
  orgId: Uuid,
  subscriptionActive: Type.Boolean(),
});
export const DiscardedSchema = Type.Object({
  id: Uuid,
  deleted: Type.Literal(true),
  ...GUIDANCE,
});
export const RetriedSchema = Type.Object({
  retried: Type.Integer({ minimum: 0 }),
  skippedInactive: Type.Integer({ minimum: 0 }),
  ...GUIDANCE,
});

/** A dead letter with its event, read from the outbox; null where that is not what it was. */
export interface ShownDeadLetter {
  readonly letter: DeadLetter;
  readonly event: NumberedEvent | null;
  readonly subscription: Subscription | null;
}

export const deadLetterView = ({
  letter,
  event,
}: ShownDeadLetter): ViewOf<typeof DeadLetterSchema> => ({
  id: letter.id,
  subscriptionId: letter.subscriptionId,
  eventId: letter.eventId,
  eventType: letter.eventType,
  event: event && eventView(event),
  reason: letter.reason,
  attempts: letter.attempts,
  lastStatus: letter.lastStatus,
  createdAt: letter.createdAt,
  expiresAt: letter.expiresAt,
});

export const adminDeadLetterView = (
  shown: ShownDeadLetter,
): ViewOf<typeof AdminDeadLetterSchema> => ({
  ...deadLetterView(shown),
  orgId: shown.letter.orgId,
  subscriptionActive: shown.subscription !== null && isActive(shown.subscription),
});

export const DISCARDED = 'The event is not delivered any more; it stays in GET /v1/events.';

export const discardedView = (
  { id }: Pick<DeadLetter, 'id'>,
  guide: Guide,
): ViewOf<typeof DiscardedSchema> => ({
  id,
  deleted: true,
  suggestion: DISCARDED,
  nextSteps: guide.steps({
    action: 'list-events',
    operation: 'listEvents',
    input: {},
    description: 'List the events',
  }),
});

export interface Retried {
  readonly webhookId: string;
  readonly retried: number;
  readonly skippedInactive: number;
}

export const retriedView = (
  { webhookId, retried, skippedInactive }: Retried,
  guide: Guide,
): ViewOf<typeof RetriedSchema> => ({
  retried,
  skippedInactive,
  suggestion:
    skippedInactive > 0
      ? 'The webhook is inactive: arm it again with isActive true, or discard the entries.'
      : retried === 0
        ? DELETED_NOTHING
        : QUEUED,
  nextSteps: guide.steps(deliveriesStep(webhookId)),
});

const DELETED_NOTHING = 'The DLQ is empty.';
