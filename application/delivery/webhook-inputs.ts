import { Type } from 'typebox';
import {
  MAX_EVENT_TYPES,
  MAX_URL,
  SECRET_GRACE_SECONDS,
} from '../../domain/delivery/subscription.ts';
import { line, nullable, oneOf, PAGE_INPUT, Timestamp, Uuid } from '../call/schemas.ts';

export const FORMATS = ['standard', 'cloudevents'] as const;
export const SCHEMES = ['hmac', 'ed25519', 'ecdsa-p256-sha256'] as const;

export const URL_SCHEMA = Type.String({
  pattern: '^https://',
  minLength: 9,
  maxLength: MAX_URL,
  description: 'Where events are sent to: HTTPS, at a public address',
});
const EVENT_TYPES = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  minItems: 1,
  maxItems: MAX_EVENT_TYPES,
  description: 'Names of event types, or * for all',
});
const RECORD_TYPES = Type.Array(line({ minLength: 1, maxLength: 128 }), {
  minItems: 1,
  maxItems: 64,
  description:
    'Names of record types, or * for all. An event of a record of another type is never delivered; events without a record are',
});
const FORMAT = oneOf(FORMATS, 'cloudevents: the standard envelope as the data of a CloudEvent 1.0');
const SCHEME = oneOf(
  SCHEMES,
  'hmac: by a secret that receiver and service share; the others: RFC 9421, by the signing key of the vault, which must be of that algorithm. Without it: the latter where eventTypes names a settlement event, else hmac',
);

export const CreateWebhookInput = Type.Object(
  {
    url: URL_SCHEMA,
    eventTypes: EVENT_TYPES,
    recordTypes: Type.Optional(RECORD_TYPES),
    format: Type.Optional(FORMAT),
    signingAlg: Type.Optional(SCHEME),
    orgId: Type.Optional({
      ...Uuid,
      description: 'The org that it belongs to; a platform key must name one',
    }),
  },
  { additionalProperties: false },
);

export const WebhookInput = Type.Object({ webhookId: Uuid }, { additionalProperties: false });

export const UpdateWebhookInput = Type.Object(
  {
    webhookId: Uuid,
    changes: Type.Object(
      {
        url: Type.Optional(URL_SCHEMA),
        eventTypes: Type.Optional(EVENT_TYPES),
        recordTypes: Type.Optional(RECORD_TYPES),
        format: Type.Optional(FORMAT),
        isActive: Type.Optional(
          Type.Boolean({ description: 'true arms it again, and closes its circuit' }),
        ),
        signingAlg: Type.Optional({ ...SCHEME, description: 'Fixed at creation: it is refused' }),
      },
      { additionalProperties: false, minProperties: 1 },
    ),
  },
  { additionalProperties: false },
);

export const RotateWebhookInput = Type.Object(
  {
    webhookId: Uuid,
    gracePeriodSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: SECRET_GRACE_SECONDS,
        default: SECRET_GRACE_SECONDS,
        description: 'For so long both secrets sign; 0 ends a leaked one at once',
      }),
    ),
  },
  { additionalProperties: false },
);

export const ListWebhooksInput = Type.Object(
  {
    isActive: Type.Optional(
      Type.Boolean({ default: true, description: 'false: those that are inactive or deleted' }),
    ),
    orgId: Type.Optional({ ...Uuid, description: 'Of this org; for platform keys' }),
    ...PAGE_INPUT,
  },
  { additionalProperties: false },
);

export const DeliveriesInput = Type.Object(
  {
    webhookId: Uuid,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'The newest so many' }),
    ),
  },
  { additionalProperties: false },
);

export const DeadLettersInput = Type.Object(
  { webhookId: Uuid, ...PAGE_INPUT },
  { additionalProperties: false },
);

export const DeadLetterInput = Type.Object(
  { webhookId: Uuid, dlqId: Uuid },
  { additionalProperties: false },
);

export const AdminDeadLettersInput = Type.Object(
  { orgId: Type.Optional({ ...Uuid, description: 'Of this org' }), ...PAGE_INPUT },
  { additionalProperties: false },
);

export const AdminDeadLetterInput = Type.Object({ dlqId: Uuid }, { additionalProperties: false });

export const HealthInput = Type.Object(
  {
    orgId: Type.Optional({ ...Uuid, description: 'Of this org; for platform keys' }),
    ...PAGE_INPUT,
  },
  { additionalProperties: false },
);

export const CircuitInput = Type.Object(
  {
    webhookId: Uuid,
    state: oneOf(
      ['closed', 'open'],
      'open: nothing is sent until it is closed here again; closed: the count of failures is 0',
    ),
  },
  { additionalProperties: false },
);

/** What callers see of a subscription. */
export const WEBHOOK_MEMBERS = {
  id: Uuid,
  url: Type.String(),
  eventTypes: Type.Array(Type.String()),
  recordTypes: Type.Array(Type.String()),
  format: oneOf(FORMATS),
  signingAlg: oneOf(SCHEMES),
  secretGraceActive: Type.Boolean({ description: 'The previous secret signs as well' }),
  secretGraceExpiresAt: nullable(Timestamp),
  isActive: Type.Boolean(),
  isPaused: Type.Boolean(),
  circuitState: oneOf(['closed', 'open', 'half_open']),
  consecutiveFailures: Type.Integer({ minimum: 0 }),
  lastSuccessfulAt: nullable(Timestamp),
  createdAt: Timestamp,
};
