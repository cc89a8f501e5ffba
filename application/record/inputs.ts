import { Type } from 'typebox';
import {
  JsonObjectSchema,
  line,
  Sha256,
  text,
  Timestamp,
  Uuid,
  nullable,
  oneOf,
  orNull,
} from '../call/schemas.ts';
import { ACTION_TABLE } from '../../domain/record/actions.ts';
import type { ViewOf } from '../call/view-of.ts';
import { ReferenceDigest, REFERENCE_TARGET } from './reference-input.ts';
import { SubjectSchema } from './subject-schema.ts';

const CLOSED = { additionalProperties: false } as const;

const Reason = Type.Optional(text({ maxLength: 2000 }));
const Message = Type.Optional(text({ maxLength: 2000, description: 'Shown with a proposal' }));

export const ReferenceInput = Type.Object(
  {
    ...REFERENCE_TARGET,
    digest: Type.Optional(orNull(ReferenceDigest)),
    label: Type.Optional(nullable(line({ maxLength: 256 }))),
  },
  CLOSED,
);

export const CreateRecordInput = Type.Object(
  {
    type: Type.String({
      minLength: 1,
      maxLength: 96,
      description: 'Name of a registered record type',
    }),
    criteria: {
      ...JsonObjectSchema,
      description:
        'What is asked for; its shape is the criteriaSchema of the type. In an encrypted type a JWE General JSON Serialization object (RFC 7516)',
    },
    contractVersion: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Version of the type; default: the newest active one',
      }),
    ),
    publisher: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Pins the publisher where several offer the type',
      }),
    ),
    platform: Type.Optional(
      line({
        minLength: 1,
        maxLength: 128,
        default: 'api',
        description: 'Free label of the calling platform',
      }),
    ),
    platformRef: Type.Optional(
      nullable(line({ maxLength: 256, description: "The caller's own reference" })),
    ),
    principalAgentId: Type.Optional(Uuid),
    performerAgentId: Type.Optional(Uuid),
    parentRecordId: Type.Optional({
      ...Uuid,
      description: 'Delegates: a record that this credential performs',
    }),
    autoActivate: Type.Optional(Type.Boolean({ default: false })),
    expiresAt: Type.Optional(nullable(Timestamp)),
    ttlSeconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3_155_760_000, description: 'Instead of expiresAt' }),
    ),
    references: Type.Optional(
      Type.Array(ReferenceInput, {
        maxItems: 32,
        description: 'Each is sealed after the record, in an entry REFERENCE_ADDED of its own',
      }),
    ),
    onBehalfOf: Type.Optional(
      Type.Object(
        {
          subject: SubjectSchema,
          act: Type.Optional(
            Type.Array(SubjectSchema, {
              maxItems: 8,
              description: 'Who acts for the subject, outermost first',
            }),
          ),
        },
        {
          ...CLOSED,
          description:
            "For whom the caller says that it acts: sealed as the caller's own assertion, unverified",
        },
      ),
    ),
    message: Message,
    federation: Type.Optional(
      Type.Object(
        { peerHubId: Uuid, performerAgentId: Uuid },
        {
          ...CLOSED,
          description: 'The performer is an agent of another hub, which is offered the record',
        },
      ),
    ),
  },
  CLOSED,
);

/** The record that a call asks for. */
export type AskedRecord = ViewOf<typeof CreateRecordInput>;

/** Items are checked one by one, so a bad item does not spoil the others. */
export const CreateRecordsBulkInput = Type.Object(
  {
    items: Type.Unsafe<readonly unknown[]>({
      type: 'array',
      items: { description: 'A body of POST /v1/records' },
      minItems: 1,
      maxItems: 100,
    }),
  },
  CLOSED,
);

export const RecordInput = Type.Object({ recordId: Uuid }, CLOSED);
export const CompletionInput = Type.Object({ recordId: Uuid, completionId: Uuid }, CLOSED);

export const SubmitCompletionInput = Type.Object(
  {
    recordId: Uuid,
    evidence: {
      ...JsonObjectSchema,
      description:
        'Its shape is the completionSchema of the type. In an encrypted type a JWE General JSON Serialization object (RFC 7516)',
    },
  },
  CLOSED,
);

/** The detail is sealed in the clear; the principal decides how much of the plaintext it tells. */
export const CLAIMED_GATE_RESULT = {
  gateId: line({
    minLength: 1,
    maxLength: 64,
    description: 'Id of a gate of the record type',
  }),
  outcome: oneOf(['pass', 'fail', 'error']),
};

export const RenderVerdictInput = Type.Object(
  {
    recordId: Uuid,
    verdict: oneOf(['accept', 'reject']),
    completionId: Uuid,
    reason: Reason,
    gateResults: Type.Optional(
      Type.Array(
        Type.Object(
          {
            ...CLAIMED_GATE_RESULT,
            detail: Type.Optional(
              nullable(text({ maxLength: 512, description: 'Stored and sealed in the clear' })),
            ),
          },
          CLOSED,
        ),
        {
          maxItems: 64,
          description:
            "In the encrypted mode: what the gates gave by the principal's own evaluation. Sealed as claimed by the principal",
        },
      ),
    ),
  },
  CLOSED,
);

export const AddReferenceInput = Type.Object(
  { recordId: Uuid, ...ReferenceInput.properties },
  CLOSED,
);

/** All parameters of the actions of the lifecycle. The row of an action says which of them it takes. */
export const TransitionInput = Type.Object(
  {
    recordId: Uuid,
    action: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'An action of the lifecycle; a refusal lists allowedActions',
      examples: ACTION_TABLE.filter((row) => 'parameters' in row).map(({ action }) => action),
    }),
    reason: Reason,
    cascade: Type.Optional(Type.Boolean({ description: 'Cancel the open delegated records too' })),
    criteriaHash: Type.Optional({
      ...Sha256,
      description:
        'What the caller believes to accept; refused where it differs from what is on the table',
    }),
    performerAgentId: Type.Optional(Uuid),
    criteria: Type.Optional({
      ...JsonObjectSchema,
      description: 'Of the same shape as those of the record',
    }),
    message: Message,
  },
  CLOSED,
);
