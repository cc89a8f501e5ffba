import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import { compileClosedSchema, type SchemaCheck } from '../kernel/closed-schema.ts';
import { NotaryError } from '../kernel/errors.ts';
import { FEDERATION_PROJECTION } from '../record/hub-predicate-schemas.ts';
import { STATUSES } from '../record/record-status.ts';
import { closed, HASH, POSITION, UUID } from '../vault/predicate-schema-parts.ts';
import type { SignalMessage, StateTransitionMessage } from './message.ts';

const BASE64 = { type: 'string', pattern: '^[A-Za-z0-9+/]*={0,2}$' } as const;

const ENVELOPE: JsonObject = {
  messageId: UUID,
  toHubId: UUID,
  recordId: UUID,
  originHubId: UUID,
  sequence: POSITION,
  statement: BASE64,
  entries: { type: 'array', items: BASE64, minItems: 1 },
};

const TRANSITION = compileClosedSchema(
  closed({
    ...ENVELOPE,
    state: { enum: STATUSES },
    projection: { type: 'object' },
    content: closed(
      {
        manifest: { type: 'object' },
        items: {
          type: 'array',
          maxItems: 8,
          items: closed({
            kind: { enum: ['criteria', 'message', 'evidence', 'dispute'] },
            hash: HASH,
            value: { type: ['string', 'object'] },
          }),
        },
      },
      ['manifest'],
    ),
  }),
);

const SIGNAL = compileClosedSchema(
  closed(
    {
      ...ENVELOPE,
      signalId: UUID,
      supersedes: UUID,
      recommendation: { enum: ['SETTLE', 'HOLD', 'RELEASE'] },
      outcome: { enum: STATUSES },
      performerAgentId: { type: ['string', 'null'], pattern: UUID.pattern },
      platformRef: { type: ['string', 'null'] },
      disputeId: UUID,
    },
    ['supersedes', 'disputeId'],
  ),
);

/** A coordinate of a curve of 256 bits, as RFC 8037 (section 2) and RFC 7518 (section 6.2) write it. */
const COORDINATE = { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' } as const;

/**
 * Public keys as hubs publish them, and nothing else: a mirror repeats the principal in each of its statements, so home could
 * leave it no room for a long one.
 */
const JWK: JsonObject = {
  oneOf: [
    closed({
      kty: { const: 'OKP' },
      crv: { enum: ['Ed25519', 'X25519'] },
      x: COORDINATE,
    }),
    closed({ kty: { const: 'EC' }, crv: { const: 'P-256' }, x: COORDINATE, y: COORDINATE }),
  ],
};

const PARTY = closed(
  {
    hubId: UUID,
    orgId: { type: ['string', 'null'], pattern: UUID.pattern },
    agentId: UUID,
    encryptionKeyJwk: JWK,
    signingKeys: { type: 'array', maxItems: 64, items: JWK },
  },
  ['encryptionKeyJwk', 'signingKeys'],
);
const PARTIES = compileClosedSchema({
  type: 'object',
  properties: { principal: PARTY, performer: PARTY },
  required: ['principal', 'performer'],
});

/** @throws VALIDATION_ERROR naming the first member that is wrong. */
export const readTransitionMessage = (body: JsonObject): StateTransitionMessage => {
  assertForm(TRANSITION, body, '');
  assertForm(PARTIES, body['projection'] ?? null, '/projection');
  return body as unknown as StateTransitionMessage;
};

/** @throws VALIDATION_ERROR naming the first member that is wrong. */
export const readSignalMessage = (body: JsonObject): SignalMessage => {
  assertForm(SIGNAL, body, '');
  return body as unknown as SignalMessage;
};

const assertForm = (check: SchemaCheck, value: JsonValue, path: string): void => {
  const fault = check(value);
  if (fault)
    throw new NotaryError(
      'VALIDATION_ERROR',
      `The message is not valid: ${path}${fault.pointer} ${fault.message}.`,
      {
        errors: [{ path: `${path}${fault.pointer}`, keyword: 'message', message: fault.message }],
      },
    );
};

/** The published form of a projection. */
export const projectionFault = compileClosedSchema(FEDERATION_PROJECTION);
