import { KeptRefusal } from '../../application/call/kept-outcome.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { NotaryError, type ErrorKind } from '../../domain/kernel/errors.ts';
import { faultOf, problemOf, retryAfterOf, type Problem } from '../http/problem.ts';

/** Codes of JSON-RPC 2.0 (section 5.1), as MCP uses them; -32000 is neither's. */
export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  refused: -32000,
} as const;
export type RpcCode = (typeof RPC)[keyof typeof RPC];

const KIND_CODES: { readonly [kind in ErrorKind]?: RpcCode } = {
  malformed: RPC.invalidParams,
  // MCP 2026-07-28: a resource that there is not is a wrong parameter.
  missing: RPC.invalidParams,
  unprocessable: RPC.invalidParams,
  'method-not-allowed': RPC.methodNotFound,
  'too-large': RPC.invalidRequest,
  internal: RPC.internal,
};

/** A request that JSON-RPC has a code of its own for. */
export class RpcRefusal extends NotaryError {
  constructor(
    readonly rpcCode: RpcCode,
    ...given: ConstructorParameters<typeof NotaryError>
  ) {
    super(...given);
  }
}

export interface RefusalPlace {
  readonly requestId: string;
  readonly instance: string;
}

/** Under these names the result of a tool says what is not for a model to read. */
export const META = {
  problem: 'notary/problem',
  version: 'notary/version',
  isNew: 'notary/isNew',
  isReplay: 'notary/idempotencyReplayed',
  requestId: 'notary/requestId',
} as const;

const problemAt = (cause: unknown, place: RefusalPlace): Problem => {
  const requestId = cause instanceof KeptRefusal ? cause.requestId : place.requestId;
  return problemOf(faultOf(cause, place.requestId), { ...place, requestId });
};

/** A refusal as a JSON-RPC error: its data is the problem document. */
export const rpcErrorOf = (
  cause: unknown,
  place: RefusalPlace,
): { readonly code: RpcCode; readonly message: string; readonly data: JsonObject } => {
  const error = faultOf(cause, place.requestId);
  return {
    code:
      error instanceof RpcRefusal ? error.rpcCode : (KIND_CODES[error.entry.kind] ?? RPC.refused),
    message: error.message,
    data: problemAt(cause, place) as unknown as JsonObject,
  };
};

/** A refusal as the result of a tool: words by which a model corrects its call, and the problem document beside them. */
export const refusedResult = (cause: unknown, place: RefusalPlace): JsonObject => {
  const error = faultOf(cause, place.requestId);
  const problem = problemAt(cause, place);
  return {
    content: [{ type: 'text', text: wordsOf(problem, retryAfterOf(error)) }],
    isError: true,
    _meta: {
      [META.problem]: problem as unknown as JsonObject,
      [META.requestId]: problem.requestId,
      ...(cause instanceof KeptRefusal ? { [META.isReplay]: true } : {}),
    },
  };
};

/** What is wrong, where, and what to do about it. */
const wordsOf = (problem: Problem, retryAfter: number | undefined): string => {
  const { errors, allowedValues, requiredFields, examplePayload, suggestion } = problem;
  const lines = [
    `${problem.code}: ${problem.detail}`,
    ...(errors ?? []).map(
      ({ path, message }) => `- ${path === '' ? '(the whole)' : path}: ${message}`,
    ),
    allowedValues && `Allowed: ${allowedValues.join(', ')}.`,
    problem.allowedActions && `Allowed actions: ${problem.allowedActions.join(', ') || 'none'}.`,
    problem.currentState && `The record is ${problem.currentState}.`,
    requiredFields && requiredFields.length > 0 && `Needed: ${requiredFields.join(', ')}.`,
    examplePayload !== undefined && `Example: ${JSON.stringify(examplePayload)}`,
    suggestion,
    retryAfter !== undefined && `Try again in ${retryAfter} s.`,
  ];
  return lines.filter((line) => typeof line === 'string').join('\n');
};
