import {
  NotaryError,
  type ErrorCode,
  type ErrorKind,
  type ProblemMembers,
} from '../../domain/kernel/errors.ts';
import { publicSchemaHref, schemaHref } from './schema-href.ts';

/** The HTTP status of every kind of refusal (RFC 9110; 429 and 431 RFC 6585). A new code needs nothing here. */
export const KIND_STATUS = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  'method-not-allowed': 405,
  'not-acceptable': 406,
  conflict: 409,
  'precondition-failed': 412,
  'timed-out': 408,
  'too-large': 413,
  'uri-too-long': 414,
  'unsupported-media': 415,
  'expectation-failed': 417,
  unprocessable: 422,
  'rate-limited': 429,
  'header-too-large': 431,
  internal: 500,
  unavailable: 503,
} as const satisfies Record<ErrorKind, number>;

/**
 * Codes that are more specific inside the service than on the wire, where the pairs of type and
 * code are fixed.
 */
const WIRE_CODES = {
  IN_FLIGHT: 'CONFLICT',
  UNPROCESSABLE: 'VALIDATION_ERROR',
  INVALID_TRANSITION: 'UNPROCESSABLE_STATE',
} as const satisfies Partial<Record<ErrorCode, ErrorCode>>;
const wireCodes: ReadonlyMap<ErrorCode, ErrorCode> = new Map(
  Object.entries(WIRE_CODES) as [ErrorCode, ErrorCode][],
);

export const wireCodeOf = (code: ErrorCode): ErrorCode => wireCodes.get(code) ?? code;

/** Seconds for Retry-After, by kind, where the thrower gives none. */
const DEFAULT_RETRY_AFTER: { readonly [kind in ErrorKind]?: number } = {
  'rate-limited': 1,
  unavailable: 5,
};

/** An RFC 9457 problem document with the extensions of the interface, part 7. */
export interface Problem extends Omit<ProblemMembers, 'retryAfter' | 'publicSchema'> {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly error: string;
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
  readonly retryable: boolean;
  readonly details: unknown;
}

export interface ProblemPlace {
  readonly requestId: string;
  /** Path of the request. */
  readonly instance: string;
}

export const problemOf = (error: NotaryError, place: ProblemPlace): Problem => {
  const { entry } = error;
  const { retryAfter: _header, publicSchema: _link, errors, ...members } = error.members;
  const code = wireCodeOf(error.code);
  return {
    type: `/problems/${entry.slug}`,
    title: entry.title,
    status: KIND_STATUS[entry.kind],
    detail: error.message,
    instance: place.instance,
    error: code,
    code,
    message: error.message,
    requestId: place.requestId,
    retryable: entry.retryable,
    errors: errors ?? (null as never),
    details: errors ?? null,
    suggestion: entry.suggestion,
    // A conflict with a code of its own repeats that code as its reason; the others only say
    // CONFLICT.
    ...(entry.kind === 'conflict' && code !== 'CONFLICT' ? { reason: code } : {}),
    ...schemaLink(error.members),
    ...members,
  };
};

/** A refusal that names a version of a record type says where to read it. */
const schemaLink = ({
  recordType,
  publisher,
  version,
  publicSchema,
}: ProblemMembers): { schemaUrl?: string } => {
  if (recordType === undefined || publisher === undefined || version === undefined) return {};
  const place = { type: recordType, publisher, version };
  return { schemaUrl: publicSchema ? publicSchemaHref(place, publicSchema) : schemaHref(place) };
};

/** Whole seconds for Retry-After, where the refusal has one. */
export const retryAfterOf = (error: NotaryError): number | undefined => {
  const seconds = error.members.retryAfter ?? DEFAULT_RETRY_AFTER[error.entry.kind];
  return seconds === undefined ? undefined : Math.max(1, Math.ceil(seconds));
};

/** RFC 6750 section 3: what a 401 or a 403 says in WWW-Authenticate; undefined elsewhere. */
export const challengeOf = (error: NotaryError, credentialGiven: boolean): string | undefined => {
  if (error.entry.kind === 'unauthenticated')
    return credentialGiven
      ? 'Bearer realm="service", error="invalid_token"'
      : 'Bearer realm="service"';
  if (error.entry.kind !== 'forbidden') return undefined;
  const scopes = error.members.missingScopes;
  return `Bearer realm="service", error="insufficient_scope"${scopes ? `, scope="${scopes.join(' ')}"` : ''}`;
};

/** An unexpected error: the caller gets the request id and learns nothing about the inside. */
export const faultOf = (cause: unknown, requestId: string): NotaryError =>
  cause instanceof NotaryError
    ? cause
    : new NotaryError(
        'INTERNAL_ERROR',
        `The service failed to answer. Give the operator this request id: ${requestId}.`,
        {},
        { cause },
      );
