import { create, toBinary, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import { anyPack, type Any } from '@bufbuild/protobuf/wkt';
import type { NotaryError, FieldError } from '../../domain/kernel/errors.ts';
import { problemOf, retryAfterOf, type Problem } from '../http/problem.ts';
import {
  BadRequestSchema,
  ErrorInfoSchema,
  PreconditionFailureSchema,
  RequestInfoSchema,
  RetryInfoSchema,
} from './generated/google/rpc/error_details_pb.ts';
import { StatusSchema } from './generated/google/rpc/status_pb.ts';
import { KIND_CODES } from './kinds.ts';

/** A refusal as gRPC tells it. */
export interface RefusalStatus {
  readonly code: number;
  /** Of `grpc-message`. */
  readonly details: string;
  /** A google.rpc.Status, for `grpc-status-details-bin`. */
  readonly rich: Buffer;
}

/** Trailers stand in one header block, of which many clients take 8 KiB. */
const MAX_RICH = 4_096;
const MAX_DETAIL = 512;
const MAX_FINDINGS = 10;

/** The domain of ErrorInfo: the codes are those of this service. */
export const ERROR_DOMAIN = 'notary.v1';

/** @param requestId of the call that met it first. */
export const refusalStatus = (error: NotaryError, requestId: string): RefusalStatus => {
  const code = KIND_CODES[error.entry.kind];
  const problem = problemOf(error, { requestId, instance: '' });
  const details = cut(error.message, MAX_DETAIL);
  const fixed = detailsOf(error, problem);
  const members = Object.entries({ kind: error.entry.kind, ...metadataOf(problem) });
  const status = (kept: readonly (readonly [string, string])[]): Uint8Array =>
    toBinary(
      StatusSchema,
      create(StatusSchema, {
        code,
        message: details,
        details: [
          packed(ErrorInfoSchema, {
            reason: problem.code,
            domain: ERROR_DOMAIN,
            metadata: Object.fromEntries(kept),
          }),
          ...fixed,
        ],
      }),
    );
  // What does not fit is left out, the longest first.
  let rich = status(members);
  const byLength = members.toSorted(([, a], [, b]) => a.length - b.length);
  while (rich.length > MAX_RICH && byLength.length > 0) {
    byLength.pop();
    rich = status(byLength);
  }
  return { code, details, rich: Buffer.from(rich) };
};

const packed = <D extends DescMessage>(schema: D, value: MessageInitShape<D>): Any =>
  anyPack(schema, create(schema, value));

const detailsOf = (error: NotaryError, problem: Problem): readonly Any[] => {
  const { errors = [] } = error.members;
  const retryAfter = retryAfterOf(error);
  const isOfState = STATE_KINDS.has(error.entry.kind);
  return [
    packed(RequestInfoSchema, { requestId: problem.requestId }),
    ...(errors.length > 0
      ? [
          packed(BadRequestSchema, {
            fieldViolations: errors.slice(0, MAX_FINDINGS).map(violationOf),
          }),
        ]
      : []),
    ...(isOfState
      ? [
          packed(PreconditionFailureSchema, {
            violations: [
              {
                type: problem.code,
                subject: error.members.currentState ?? error.members.reason ?? '',
                description: cut(error.message, MAX_DETAIL),
              },
            ],
          }),
        ]
      : []),
    ...(retryAfter === undefined
      ? []
      : [packed(RetryInfoSchema, { retryDelay: { seconds: BigInt(retryAfter), nanos: 0 } })]),
  ];
};

const STATE_KINDS: ReadonlySet<string> = new Set([
  'conflict',
  'precondition-failed',
  'unprocessable',
]);

const violationOf = ({ path, keyword, message }: FieldError) => ({
  field: cut(fieldOf(path), 128),
  reason: keyword.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
  description: cut(message, 160),
});

/** `/references/0/uri` as `references[0].uri`; a name that is none in code stands in quotes. */
export const fieldOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((name) => {
      if (/^\d+$/.test(name)) return `[${name}]`;
      return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
    })
    .join('')
    .replace(/^\./, '');

/** Members that stand elsewhere in the status, or say how HTTP tells it. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'status',
  'detail',
  'instance',
  'error',
  'code',
  'message',
  'errors',
  'details',
]);

/** The members of the problem as texts: what is no text, in JSON. */
const metadataOf = (problem: Problem): { readonly [member: string]: string } =>
  Object.fromEntries(
    Object.entries(problem).flatMap(([name, value]: [string, unknown]) =>
      ELSEWHERE.has(name) || value === undefined || value === null
        ? []
        : [[name, typeof value === 'string' ? value : JSON.stringify(value)] as const],
    ),
  );

/** Without halves of pairs of surrogates, which grpc-message cannot carry. */
const cut = (text: string, most: number): string =>
  (text.length <= most ? text : `${text.slice(0, most - 1)}…`).toWellFormed();
