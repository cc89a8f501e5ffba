import { Type } from 'typebox';
import { Uuid, nullable, oneOf } from '../../application/call/schemas.ts';
import { ERROR_CATALOGUE, type ErrorCode } from '../../domain/kernel/errors.ts';
import { wireCodeOf } from '../http/problem.ts';
import { NextStep } from './wire.ts';

const FieldError = Type.Object({
  path: Type.String({ description: 'RFC 6901 JSON Pointer' }),
  keyword: Type.String(),
  message: Type.String(),
});
const FieldErrors = Type.Union([Type.Array(FieldError), Type.Null()]);
const Text = Type.Optional(Type.String());
const Texts = Type.Optional(Type.Array(Type.String()));

/** Every code that an answer can have. */
export const ProblemCodeSchema = oneOf([
  ...new Set((Object.keys(ERROR_CATALOGUE) as ErrorCode[]).map(wireCodeOf)),
]);

/**
 * RFC 9457 with the extensions of this service. The members up to `details` are always present, the
 * others where they apply.
 */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'Path of a page that explains it' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String(),
    error: ProblemCodeSchema,
    code: ProblemCodeSchema,
    message: Type.String({ description: 'The same as detail' }),
    requestId: Type.String({
      description:
        'The X-Request-ID of the answer. A refusal with Idempotency-Replayed names the call that met it first, and X-Request-ID the repetition',
    }),
    retryable: Type.Boolean(),
    errors: FieldErrors,
    details: FieldErrors,
    suggestion: Text,
    recoveryHint: Text,
    hint: Text,
    refreshUrl: Type.Optional(Type.String({ description: 'The GET that shows the current state' })),
    requiredFields: Texts,
    optionalFields: Texts,
    examplePayload: Type.Optional(Type.Unknown()),
    schemaUrl: Text,
    recordType: Text,
    currentState: Text,
    attemptedTransition: Text,
    attemptedState: Text,
    validTransitions: Texts,
    attemptedAction: Text,
    allowedActions: Texts,
    allowedActors: Texts,
    allowedValues: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Number()]))),
    disputeCount: Type.Optional(Type.Integer()),
    maxDisputes: Type.Optional(Type.Integer()),
    openDisputeId: Type.Optional(nullable(Uuid)),
    currentStatus: Text,
    disputeableWhen: Texts,
    parentRecordId: Type.Optional(Uuid),
    reason: Type.Optional(
      Type.String({ description: 'The name of a conflict, or the guard that refused' }),
    ),
    jobId: Type.Optional(Uuid),
    publisher: Text,
    version: Type.Optional(Type.Integer()),
    incomingDigest: Text,
    existingDigest: Text,
    publishers: Texts,
    pinnedRecords: Type.Optional(Type.Integer()),
    unattributableRecords: Type.Optional(Type.Integer()),
    missingScopes: Texts,
    nextSteps: Type.Optional(Type.Array(NextStep)),
  },
  { description: 'A problem document (RFC 9457)' },
);
