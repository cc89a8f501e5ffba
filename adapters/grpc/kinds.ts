import { status } from '@grpc/grpc-js';
import type { ErrorKind } from '../../domain/kernel/errors.ts';

/** The status of every kind of refusal (google/rpc/code.proto). A new code needs nothing here. */
export const KIND_CODES = {
  malformed: status.INVALID_ARGUMENT,
  unauthenticated: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  missing: status.NOT_FOUND,
  'method-not-allowed': status.UNIMPLEMENTED,
  'not-acceptable': status.INVALID_ARGUMENT,
  conflict: status.ABORTED,
  'precondition-failed': status.FAILED_PRECONDITION,
  'too-large': status.RESOURCE_EXHAUSTED,
  'timed-out': status.DEADLINE_EXCEEDED,
  'uri-too-long': status.INVALID_ARGUMENT,
  'expectation-failed': status.INVALID_ARGUMENT,
  'header-too-large': status.INVALID_ARGUMENT,
  'unsupported-media': status.INVALID_ARGUMENT,
  unprocessable: status.FAILED_PRECONDITION,
  'rate-limited': status.RESOURCE_EXHAUSTED,
  internal: status.INTERNAL,
  unavailable: status.UNAVAILABLE,
} as const satisfies Record<ErrorKind, status>;
