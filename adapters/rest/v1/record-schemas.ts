import { Type } from 'typebox';
import {
  Actor,
  Base64,
  JsonObjectSchema,
  RECORD_GUIDANCE,
  Sha256,
  SignedStatementSchema,
  Status,
  Timestamp,
  Uuid,
  nullable,
  oneOf,
  orNull,
  pageOf,
} from '../wire.ts';

export const RecordPath = Type.Object({ id: Uuid });
export const CompletionPath = Type.Object({ id: Uuid, completionId: Uuid });

const Message = Type.Optional(
  Type.String({ maxLength: 2000, description: 'Shown with a proposal' }),
);

export const REFERENCE_TARGET = {
  kind: Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: '^[A-Za-z0-9]',
    description: 'What it is, in words of your own: invoice, ticket, artifact',
  }),
  uri: Type.String({
    maxLength: 2048,
    pattern: "^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9._~:/?#\\[\\]@!$&'()*+,;=%-]+$",
    description: 'Absolute (RFC 3986); it is neither fetched nor checked',
  }),
};
export const ReferenceDigest = Type.Object(
  {
    alg: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9/_-]{0,31}$',
      description: 'As in sha-256',
    }),
    value: Type.String({
      pattern: '^[A-Za-z0-9+/=_-]{1,256}$',
      description: 'Hex or base64, kept as it is sent',
    }),
  },
  {
    additionalProperties: false,
    description: 'Of what the URI leads to, as the caller computed it',
  },
);

export const ReferenceBody = Type.Object(
  {
    ...REFERENCE_TARGET,
    digest: Type.Optional(ReferenceDigest),
    label: Type.Optional(Type.String({ maxLength: 256 })),
  },
  { additionalProperties: false },
);

const SubjectSchema = Type.Object(
  {
    iss: Type.String({ minLength: 1, maxLength: 512 }),
    sub: Type.String({ minLength: 1, maxLength: 512 }),
  },
  { additionalProperties: false, description: 'Somebody at an identity provider' },
);

export const CreateRecordBody = Type.Object(
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
      Type.String({
        minLength: 1,
        maxLength: 128,
        default: 'api',
        description: 'Free label of the calling platform',
      }),
    ),
    platformRef: Type.Optional(
      Type.String({ maxLength: 256, description: "The caller's own reference" }),
    ),
    principalAgentId: Type.Optional(Uuid),
    performerAgentId: Type.Optional(Uuid),
    parentRecordId: Type.Optional({
      ...Uuid,
      description: 'Delegates: a record that this credential performs',
    }),
    autoActivate: Type.Optional(Type.Boolean({ default: false })),
    expiresAt: Type.Optional(Timestamp),
    ttlSeconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3_155_760_000, description: 'Instead of expiresAt' }),
    ),
    references: Type.Optional(
      Type.Array(ReferenceBody, {
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
          additionalProperties: false,
          description:
            "For whom the caller says that it acts: sealed as the caller's own assertion, unverified",
        },
      ),
    ),
    message: Message,
    federation: Type.Optional({ ...JsonObjectSchema, description: 'Comes with a later release' }),
  },
  { additionalProperties: false },
);

/** Items are checked one by one, so that a bad one spoils no other. */
export const BulkBody = Type.Unsafe<readonly unknown[]>({
  type: 'array',
  items: { description: 'A body of POST /v1/records' },
  minItems: 1,
  maxItems: 100,
});

export const CompletionBody = Type.Object(
  {
    evidence: {
      ...JsonObjectSchema,
      description:
        'Its shape is the completionSchema of the type. In an encrypted type a JWE General JSON Serialization object (RFC 7516)',
    },
  },
  { additionalProperties: false },
);

const Reason = Type.Optional(Type.String({ maxLength: 2000 }));

/** The detail is sealed in the clear: how much of the plaintext it tells is for the principal to decide. */
const ClaimedGateResult = {
  gateId: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Id of a gate of the record type',
  }),
  outcome: oneOf(['pass', 'fail', 'error']),
};
const GateClaims = Type.Array(
  Type.Object(
    {
      ...ClaimedGateResult,
      detail: Type.Optional(
        nullable(Type.String({ maxLength: 512, description: 'Stored and sealed in the clear' })),
      ),
    },
    { additionalProperties: false },
  ),
  {
    maxItems: 64,
    description:
      "In the encrypted mode: what the gates gave by the principal's own evaluation. Sealed as claimed by the principal",
  },
);

export const VerdictBody = Type.Object(
  {
    verdict: oneOf(['accept', 'reject']),
    completionId: Uuid,
    reason: Reason,
    gateResults: Type.Optional(GateClaims),
  },
  { additionalProperties: false },
);
export const AcceptBody = Type.Object(
  {
    criteriaHash: Type.Optional({
      ...Sha256,
      description:
        'What the caller believes to accept; refused where it differs from what is on the table',
    }),
  },
  { additionalProperties: false },
);
export const CounterBody = Type.Object(
  {
    criteria: { ...JsonObjectSchema, description: 'Of the same shape as those of the record' },
    message: Message,
  },
  { additionalProperties: false },
);
export const ReasonBody = Type.Object({ reason: Reason }, { additionalProperties: false });
export const CancelBody = Type.Object(
  {
    reason: Reason,
    cascade: Type.Optional(Type.Boolean({ description: 'Cancel the open delegated records too' })),
  },
  { additionalProperties: false },
);
export const TransitionBody = Type.Object(
  {
    action: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'An action of the lifecycle; a refusal lists allowedActions',
    }),
    reason: Reason,
    cascade: Type.Optional(Type.Boolean()),
    criteriaHash: Type.Optional(Sha256),
    performerAgentId: Type.Optional(Uuid),
    criteria: Type.Optional(JsonObjectSchema),
    message: Message,
  },
  { additionalProperties: false },
);

const REFERENCE = {
  id: Uuid,
  recordId: Uuid,
  ...REFERENCE_TARGET,
  digest: orNull(ReferenceDigest),
  label: nullable(Type.String()),
  addedBy: Actor,
  addedAt: Timestamp,
};

export const ReferenceSchema = Type.Object(
  {
    ...REFERENCE,
    recordStatus: {
      ...Status,
      description: 'Status of the record, which a reference does not change',
    },
    signedStatement: orNull(SignedStatementSchema),
    ...RECORD_GUIDANCE,
  },
  {
    description:
      'A reference on a record. signedStatement is the chain entry that the call wrote; null where the reference was there.',
  },
);

export const RecordSchema = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    type: Type.String(),
    publisher: Type.String(),
    contractVersion: Type.Integer(),
    manifestDigest: Sha256,
    platform: Type.String(),
    platformRef: nullable(Type.String()),
    gateMode: oneOf(['auto', 'principal']),
    operatingMode: oneOf(['cleartext', 'encrypted']),
    status: Status,
    criteria: JsonObjectSchema,
    criteriaHash: Sha256,
    message: nullable(Type.String()),
    principalAgentId: Uuid,
    performerAgentId: nullable(Uuid),
    parentRecordId: nullable(Uuid),
    rootRecordId: Uuid,
    depth: Type.Integer(),
    awaiting: nullable(oneOf(['performer', 'principal', 'gate', 'children'])),
    revisionCount: Type.Integer(),
    maxRevisions: Type.Integer(),
    latestCompletionId: nullable(Uuid),
    disputed: Type.Boolean(),
    openDisputeId: nullable(Uuid),
    disputeCount: Type.Integer(),
    counterProposal: orNull(
      Type.Object({
        criteria: JsonObjectSchema,
        criteriaHash: Sha256,
        message: nullable(Type.String()),
        proposedBy: Actor,
        proposedAt: Timestamp,
      }),
    ),
    references: Type.Array(Type.Object(REFERENCE)),
    onBehalfOf: orNull(
      Type.Object({
        subject: SubjectSchema,
        validated: Type.Boolean({
          description:
            'A token that the service verified says so; otherwise it is the word of the caller',
        }),
        provenance: oneOf(['token_exchange', 'asserted']),
        act: Type.Array(SubjectSchema),
      }),
    ),
    federation: orNull(JsonObjectSchema),
    expiresAt: nullable(Timestamp),
    createdAt: Timestamp,
    activatedAt: nullable(Timestamp),
    terminalAt: nullable(Timestamp),
    updatedAt: Timestamp,
    version: Type.Integer({ description: 'Counts up with every change; the ETag' }),
    cascade: Type.Optional(
      Type.Object(
        {
          cancelled: Type.Integer({
            minimum: 0,
            description: 'Records below it that were cancelled with it',
          }),
        },
        { description: 'On a cancellation with cascade: true' },
      ),
    ),
    signedStatement: orNull(SignedStatementSchema),
    ...RECORD_GUIDANCE,
  },
  {
    description:
      'A record. signedStatement is the chain entry that the call wrote; on a GET the newest; in a listing null.',
  },
);

export const RecordPage = pageOf(RecordSchema);

export const BulkAnswer = Type.Object({
  data: Type.Array(
    Type.Object({
      index: Type.Integer(),
      status: Type.Integer({ description: 'The status that the item would have had on its own' }),
      record: Type.Optional(RecordSchema),
      error: Type.Optional({ ...JsonObjectSchema, description: 'A problem document' }),
    }),
  ),
  total: Type.Integer(),
  succeeded: Type.Integer(),
  failed: Type.Integer(),
});

const GateResultSchema = Type.Object({
  gateId: Type.String(),
  description: Type.String(),
  outcome: oneOf(['pass', 'fail', 'error']),
  severity: oneOf(['block', 'warn']),
  expression: Type.String(),
  inputsDigest: Sha256,
  detail: nullable(Type.String()),
});

const FieldErrorSchema = Type.Object({
  path: Type.String({ description: 'RFC 6901 JSON Pointer' }),
  keyword: Type.String(),
  message: Type.String(),
});
const GateStateSchema = oneOf([
  'PENDING',
  'PASSED',
  'FAILED',
  'ADVISORY_PASSED',
  'ADVISORY_FAILED',
  'SKIPPED',
]);

export const CompletionSchema = Type.Object({
  id: Uuid,
  recordId: Uuid,
  recordStatus: { ...Status, description: 'Status of the record after the call' },
  revision: Type.Integer({ minimum: 1 }),
  evidence: JsonObjectSchema,
  evidenceHash: Sha256,
  submittedBy: Actor,
  submittedAt: Timestamp,
  structural: Type.Object(
    { valid: Type.Boolean(), errors: Type.Array(FieldErrorSchema) },
    { description: 'Phase 1; what fails it is never stored' },
  ),
  gate: Type.Object(
    {
      state: GateStateSchema,
      evaluatedAt: nullable(Timestamp),
      results: Type.Array(GateResultSchema),
    },
    { description: 'Phase 2' },
  ),
  verdict: orNull(
    Type.Object({
      verdict: oneOf(['accept', 'reject']),
      reason: nullable(Type.String()),
      renderedBy: Actor,
      renderedAt: Timestamp,
      gateResults: Type.Optional(
        Type.Array(Type.Object({ ...ClaimedGateResult, detail: nullable(Type.String()) }), {
          description: 'As claimed by the principal; in the encrypted mode',
        }),
      ),
    }),
  ),
  references: Type.Array(JsonObjectSchema),
  signedStatement: orNull(SignedStatementSchema),
  ...RECORD_GUIDANCE,
});

export const GateStatusSchema = Type.Object({
  recordId: Uuid,
  completionId: nullable(Uuid),
  phase1: Type.Object({
    valid: nullable(Type.Boolean({ description: 'Null before the first completion' })),
    errors: Type.Array(FieldErrorSchema),
  }),
  phase2: Type.Object({
    state: nullable(GateStateSchema),
    evaluatedAt: nullable(Timestamp),
    results: Type.Array(GateResultSchema),
  }),
  mode: oneOf(['auto', 'principal']),
  awaiting: nullable(oneOf(['performer', 'principal', 'gate', 'children'])),
  ...RECORD_GUIDANCE,
});

const VerificationKey = Type.Object({
  keyId: Type.String(),
  algorithm: oneOf(['Ed25519', 'ES256']),
  coseAlgorithm: Type.Integer(),
  publicKey: Base64,
  publicKeyRaw: Base64,
  status: oneOf(['active', 'retired']),
  activatedAt: Timestamp,
  retiredAt: nullable(Timestamp),
  minVerifierVersion: Type.String(),
});

const KeyStatementSchema = Type.Object({
  keyId: Type.String(),
  statement: oneOf(['activated', 'retired']),
  chainPosition: Type.Integer(),
  createdAt: Timestamp,
  coseSign1: Base64,
});

const CheckpointSchema = Type.Object({
  id: Uuid,
  logIndex: Type.Integer(),
  chainKind: oneOf(['record', 'schema', 'admin']),
  chainKey: Type.String(),
  position: Type.Integer(),
  headHash: Sha256,
  signingKeyId: Type.String(),
  createdAt: Timestamp,
  coseSign1: Base64,
});

export const AuditExportSchema = Type.Object(
  {
    formatVersion: Type.Literal('1.0'),
    canonicalization: oneOf(['jcs', 'cde']),
    exportedAt: Timestamp,
    service: Type.Object({ baseUrl: Type.String(), hubId: Uuid, version: Type.String() }),
    record: JsonObjectSchema,
    chain: Type.Object({
      chainKey: Uuid,
      head: Type.Object({ position: Type.Integer(), hash: Sha256 }),
      entries: Type.Array(
        Type.Object({
          position: Type.Integer(),
          entryType: Type.String(),
          hash: Sha256,
          previousHash: Sha256,
          signingKeyId: Type.String(),
          algorithm: oneOf(['Ed25519', 'ES256']),
          createdAt: Timestamp,
          coseSign1: Base64,
          statement: JsonObjectSchema,
          evidence: Type.Optional(JsonObjectSchema),
        }),
      ),
    }),
    keys: Type.Array(VerificationKey),
    keyStatements: Type.Array(KeyStatementSchema),
    checkpoint: orNull(CheckpointSchema),
    checkpoints: Type.Array(CheckpointSchema),
    verificationGuide: Type.Object({
      summary: Type.String(),
      steps: Type.Array(Type.String()),
      evidenceBinding: Type.String(),
      commands: Type.Array(Type.String()),
    }),
  },
  {
    description:
      'Everything that an offline check of one record needs, but for the trust in the keys, which must come from elsewhere',
  },
);
