import { KeptRefusal } from '../../application/call/kept-outcome.ts';
import {
  NotaryError,
  type ErrorCode,
  type ErrorKind,
  type ProblemMembers,
} from '../../domain/kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import { faultOf, problemOf, retryAfterOf, wireCodeOf } from '../http/problem.ts';

/** Codes of JSON-RPC 2.0 (section 5.1) and of A2A 1.0 (section 5.4); -32000 is neither's. */
export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  refused: -32000,
  taskNotFound: -32001,
  taskNotCancelable: -32002,
  unsupportedOperation: -32004,
  contentTypeNotSupported: -32005,
  versionNotSupported: -32009,
} as const;
export type RpcCode = (typeof RPC)[keyof typeof RPC];

/** The code of every kind of refusal. A new error code needs nothing here. */
const KIND_CODES = {
  malformed: RPC.invalidParams,
  unauthenticated: RPC.refused,
  forbidden: RPC.refused,
  missing: RPC.taskNotFound,
  'method-not-allowed': RPC.methodNotFound,
  'not-acceptable': RPC.contentTypeNotSupported,
  conflict: RPC.refused,
  'precondition-failed': RPC.refused,
  'timed-out': RPC.refused,
  'too-large': RPC.invalidRequest,
  'uri-too-long': RPC.invalidRequest,
  'unsupported-media': RPC.contentTypeNotSupported,
  'expectation-failed': RPC.invalidRequest,
  unprocessable: RPC.invalidParams,
  'rate-limited': RPC.refused,
  'header-too-large': RPC.invalidRequest,
  internal: RPC.internal,
  unavailable: RPC.refused,
} as const satisfies Record<ErrorKind, RpcCode>;

/** What the protocol has a code of its own for. */
export class ProtocolError extends NotaryError {
  constructor(
    readonly rpcCode: RpcCode,
    code: ErrorCode,
    detail: string,
    members: ProblemMembers = {},
    options: ErrorOptions = {},
  ) {
    super(code, detail, members, options);
  }
}

/** The reasons of A2A, by code. */
const REASONS: ReadonlyMap<RpcCode, string> = new Map([
  [RPC.taskNotFound, 'TASK_NOT_FOUND'],
  [RPC.taskNotCancelable, 'TASK_NOT_CANCELABLE'],
  [RPC.unsupportedOperation, 'UNSUPPORTED_OPERATION'],
  [RPC.contentTypeNotSupported, 'CONTENT_TYPE_NOT_SUPPORTED'],
  [RPC.versionNotSupported, 'VERSION_NOT_SUPPORTED'],
]);
const A2A_DOMAIN = 'a2a-protocol.org';
const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo';
/** Marks the problem document among the details: RFC 9457. */
export const PROBLEM_TYPE = 'urn:ietf:rfc:9457';

export interface RpcError {
  readonly code: RpcCode;
  readonly message: string;
  /** ErrorInfo first, the problem document second. */
  readonly data: readonly JsonObject[];
}

export interface RpcErrorPlace {
  readonly requestId: string;
  readonly instance: string;
  /** Whose reasons those are that A2A does not know. */
  readonly domain: string;
}

/** Any other error is a fault, of which the caller learns the request id alone. */
export const rpcErrorOf = (cause: unknown, place: RpcErrorPlace): RpcError => {
  const error = faultOf(cause, place.requestId);
  const code = error instanceof ProtocolError ? error.rpcCode : KIND_CODES[error.entry.kind];
  const isReplay = cause instanceof KeptRefusal;
  const requestId = isReplay ? cause.requestId : place.requestId;
  const reason = REASONS.get(code);
  const retryAfter = retryAfterOf(error);
  const info = {
    '@type': ERROR_INFO,
    reason: reason ?? wireCodeOf(error.code),
    domain: reason === undefined ? place.domain : A2A_DOMAIN,
    metadata: {
      code: wireCodeOf(error.code),
      requestId,
      ...(retryAfter === undefined ? {} : { retryAfter: String(retryAfter) }),
      ...(isReplay ? { idempotencyReplayed: 'true' } : {}),
    },
  };
  const problem = problemOf(error, { requestId, instance: place.instance });
  return {
    code,
    message: error.message,
    data: [info, { '@type': PROBLEM_TYPE, ...(problem as unknown as JsonObject) }],
  };
};

/** A response that refuses. `id` is null where the request could not be read as far as its id. */
export const errorResponse = (id: JsonValue, error: RpcError): JsonObject => ({
  jsonrpc: '2.0',
  id,
  error: { code: error.code, message: error.message, data: error.data },
});
