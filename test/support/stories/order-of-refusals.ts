import type { DocumentedOperation } from '../runner/documented-operations.ts';

/** What one request brings; each fault changes a part of it. */
export interface Ask {
  key: string | null;
  address: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
}

export interface Fault {
  readonly name: string;
  readonly refusal: (operation: DocumentedOperation) => string;
  /** What else tells this refusal from others of its status: in its detail or its reason. */
  readonly tells?: RegExp;
  readonly applies: (operation: DocumentedOperation) => boolean;
  readonly earn: (ask: Ask, operation: DocumentedOperation, stage: Stage) => void;
}

/** The credentials that a test has prepared. */
export interface Stage {
  readonly maxBodyBytes: number;
  readonly keys: {
    /** Holds every scope. */
    readonly platform: string;
    /** Asked too often, and lacks every scope. */
    readonly tired: string;
    /** Asked too often, and was revoked then. */
    readonly tiredAndRevoked: string;
    readonly narrow: string;
    readonly narrowElsewhere: string;
    /** A good key that the service never met. */
    readonly unseen: string;
  };
  /** By operation: a credential under whose owner the Idempotency-Key of `usedKey` was used. */
  readonly usedKeys: ReadonlyMap<string, string>;
}

/**
 * The order of refusals in force. Who sends a request that earns two of these is told the earlier one. Of a key that
 * was used the values are compared: so a repetition is known only once its input was checked, and its items paid for.
 */
export const ORDER_OF_REFUSALS: readonly Fault[] = [
  {
    name: 'an address that sent too many credentials that do not hold',
    refusal: () => '429 RATE_LIMITED',
    applies: isProtected,
    earn: (ask, _operation, stage) =>
      Object.assign(ask, { address: FAILED_TOO_OFTEN, key: stage.keys.unseen }),
  },
  {
    name: 'a credential that does not hold',
    refusal: () => '401 UNAUTHORIZED',
    tells: /API key/,
    applies: isProtected,
    earn: (ask) => Object.assign(ask, { key: 'svc_agt_' + 'a'.repeat(49) }),
  },
  {
    name: 'too many requests',
    refusal: () => '429 RATE_LIMITED',
    applies: ({ isPublic, statuses }) => !isPublic || statuses.has('429'),
    earn: (ask, { isPublic }, stage) => {
      if (isPublic) ask.address = ASKED_TOO_OFTEN;
      else
        ask.key = ask.key === stage.keys.platform ? stage.keys.tired : stage.keys.tiredAndRevoked;
    },
  },
  {
    name: 'a role or a scope that does not suffice',
    refusal: ({ roles }) => (roles.length > 0 ? '403 FORBIDDEN' : '403 INSUFFICIENT_SCOPE'),
    applies: ({ scopes, roles }) => scopes.length > 0 || roles.length > 0,
    // The key that asked too often lacks every scope as well.
    earn: (ask, { scopes }, { keys }) => {
      const narrow = scopes.includes('webhooks:read') ? keys.narrowElsewhere : keys.narrow;
      ask.key = ask.key === keys.tired ? ask.key : narrow;
    },
  },
  {
    name: 'an Accept that takes nothing',
    refusal: () => '406 NOT_ACCEPTABLE',
    applies: () => true,
    earn: (ask) => void (ask.headers['accept'] = 'image/tiff'),
  },
  {
    name: 'a body of another media type',
    refusal: () => '415 UNSUPPORTED_MEDIA_TYPE',
    tells: /The body is "text\/plain"/,
    applies: takesBody,
    earn: (ask) => void (ask.headers['content-type'] = 'text/plain'),
  },
  {
    name: 'a coded body',
    refusal: () => '415 UNSUPPORTED_MEDIA_TYPE',
    tells: /Content-Encoding/,
    applies: takesBody,
    earn: (ask) => void (ask.headers['content-encoding'] = 'br'),
  },
  {
    name: 'a body that is too large',
    refusal: () => '413 PAYLOAD_TOO_LARGE',
    applies: takesBody,
    earn: (ask, _operation, stage) =>
      void (ask.body = JSON.stringify('x'.repeat(stage.maxBodyBytes))),
  },
  {
    name: 'a co-signature that does not hold',
    refusal: () => '401 UNAUTHORIZED',
    tells: /co_signature_invalid/,
    applies: isProtected,
    earn: (ask) => void (ask.headers['x-agent-signature'] = 'AAAA'),
  },
  {
    name: 'a subject token that does not hold',
    refusal: () => '401 UNAUTHORIZED',
    tells: /unknown_issuer/,
    applies: isProtected,
    earn: (ask) => void (ask.headers['x-service-subject-token'] = SUBJECT_TOKEN),
  },
  {
    name: 'an Idempotency-Key that is too long',
    refusal: () => '400 VALIDATION_ERROR',
    tells: /Idempotency-Key has/,
    applies: takesKey,
    earn: (ask) => void (ask.headers['idempotency-key'] = 'k'.repeat(257)),
  },
  {
    name: 'an If-Match that holds no ETag',
    refusal: () => '412 PRECONDITION_FAILED',
    tells: /holds no ETag/,
    applies: ({ parameters }) => parameters.has('IfMatch'),
    earn: (ask) => void (ask.headers['if-match'] = 'x'),
  },
  {
    name: 'a path of the wrong form',
    refusal: () => '400 VALIDATION_ERROR',
    tells: /The path is not valid/,
    applies: ({ malformedPath }) => malformedPath !== null,
    earn: (ask, { malformedPath }) => void (ask.path = malformedPath ?? ask.path),
  },
  {
    name: 'an unknown query parameter',
    refusal: () => '400 VALIDATION_ERROR',
    tells: /The query is not valid/,
    applies: () => true,
    earn: (ask) => void (ask.query = `?no-such-parameter=1`),
  },
  {
    name: 'a body that is no JSON',
    refusal: () => '400 VALIDATION_ERROR',
    tells: /The body is not acceptable JSON/,
    applies: ({ bodyType }) => bodyType === 'application/json',
    earn: (ask) => void (ask.body = '{'),
  },
  {
    name: 'a cursor of nobody',
    refusal: () => '400 VALIDATION_ERROR',
    tells: /The cursor is damaged/,
    applies: ({ parameters }) => parameters.has('cursor'),
    earn: (ask) => void (ask.query = `${ask.query === '' ? '?' : `${ask.query}&`}cursor=x.y`),
  },
  {
    name: 'an Idempotency-Key that was used with another input',
    refusal: () => '422 VALIDATION_ERROR',
    tells: /used with another input/,
    applies: (operation) => takesKey(operation) && operation.otherBody !== undefined,
    earn: (ask, { name, bodyType, exampleBody, otherBody }, stage) => {
      ask.key = stage.usedKeys.get(name) ?? null;
      ask.headers['idempotency-key'] = usedKey(name);
      // A body that another fault has spoilt stays so.
      const isUnspoilt = Buffer.from(ask.body ?? '').equals(
        Buffer.from(sent(bodyType, exampleBody)),
      );
      if (isUnspoilt) ask.body = sent(bodyType, otherBody);
    },
  },
  {
    name: 'what is not there',
    // Of a signing key the proof is judged first, which names the agent of the path.
    refusal: ({ name }) =>
      name === 'POST /v1/agents/{agentId}/signing-keys' ? '422 VALIDATION_ERROR' : '404 NOT_FOUND',
    applies: ({ uuids }) => uuids.length > 0,
    earn: (ask, { name }) => {
      if (name.endsWith('/proof') && ask.query === '') ask.query = '?leaf=0';
    },
  },
];

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Well formed, of an issuer that nobody trusts; one that is malformed is 400 at the same place. */
const SUBJECT_TOKEN = [
  part({ alg: 'ES256', kid: 'k' }),
  part({ iss: 'https://nobody.example', sub: 's', aud: 'a', iat: 1, exp: 4_000_000_000, jti: 'j' }),
  'A'.repeat(86),
].join('.');
/** Bytes stand in the document in base64. */
export const sent = (bodyType: string | null, example: unknown): string | Uint8Array =>
  bodyType === 'application/json'
    ? JSON.stringify(example)
    : Buffer.from(String(example), 'base64');

/** One for each: paths that are aliases of one operation share their keys. */
export const usedKey = (name: string): string => `used by ${name}`;

export const FAILED_TOO_OFTEN = '198.51.100.1';
export const ASKED_TOO_OFTEN = '198.51.100.2';

function isProtected({ isPublic }: DocumentedOperation): boolean {
  return !isPublic;
}
function takesBody({ takesBody }: DocumentedOperation): boolean {
  return takesBody;
}
export function takesKey({ parameters }: DocumentedOperation): boolean {
  return parameters.has('IdempotencyKey');
}
