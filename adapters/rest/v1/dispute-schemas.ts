import { Type } from 'typebox';
import { DISPUTE_PHASES, MAX_DISPUTE_EVIDENCE } from '../../../domain/dispute/dispute.ts';
import {
  Actor,
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

export const DisputePath = Type.Object({ disputeId: Uuid });

const Evidence = {
  ...JsonObjectSchema,
  description:
    'Any JSON object; in an encrypted type a JWE General JSON Serialization object (RFC 7516)',
};

export const OpenDisputeBody = Type.Object(
  {
    grounds: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        default: 'OTHER',
        description: 'In a word of your own',
      }),
    ),
    statement: Type.Optional(
      Type.String({
        maxLength: 4000,
        description: 'What is wrong with the outcome; in the clear, also in an encrypted type',
      }),
    ),
    evidence: Type.Optional(Evidence),
  },
  { additionalProperties: false },
);

export const DisputeEvidenceBody = Type.Object(
  { evidence: Evidence },
  { additionalProperties: false },
);
export const EscalateBody = Type.Object(
  { reason: Type.Optional(nullable(Type.String({ maxLength: 2000 }))) },
  { additionalProperties: false },
);
export const ResolveBody = Type.Object(
  {
    outcome: oneOf(['UPHELD', 'OVERTURNED'], 'Whether the outcome of the record stands'),
    resolution: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'Why; sealed in the clear',
    }),
  },
  { additionalProperties: false },
);
export const WithdrawBody = Type.Object({}, { additionalProperties: false });

export const ListDisputesQuery = Type.Object({
  status: Type.Optional(oneOf(['open', 'ended'])),
  phase: Type.Optional(oneOf(DISPUTE_PHASES)),
  tier: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
  recordId: Type.Optional(Uuid),
});

const SIDE = oneOf(['principal', 'performer']);

const PIECE = {
  id: Uuid,
  submittedBy: Actor,
  side: { ...SIDE, description: 'Whom it speaks for' },
  contentHash: {
    ...Sha256,
    description:
      'Over the RFC 8785 form of the content; sealed in the entry DISPUTE_EVIDENCE_SUBMITTED',
  },
  submittedAt: Timestamp,
};

const HEAD = {
  id: Uuid,
  recordId: Uuid,
  phase: oneOf(DISPUTE_PHASES),
  tier: Type.Integer({ minimum: 1, maximum: 3, description: 'The tier that it has reached' }),
  initiatedBy: Actor,
  initiatorRole: oneOf(['principal', 'performer', 'admin', 'platform'], 'Derived from the key'),
  side: { ...SIDE, description: 'The side that disputes: the one that the outcome went against' },
  grounds: nullable(Type.String()),
  statement: nullable(Type.String()),
  evidenceDeadline: Timestamp,
  phaseDeadline: nullable({
    ...Timestamp,
    description: 'When the phase ends by itself; null once the dispute is over',
  }),
  outcome: nullable(oneOf(['UPHELD', 'OVERTURNED'])),
  resolution: nullable(Type.String()),
  resolvedBy: orNull(Actor),
  openedAt: Timestamp,
  resolvedAt: nullable(Timestamp),
};

export const DisputeSchema = Type.Object(
  {
    ...HEAD,
    evidence: Type.Array(Type.Object({ ...PIECE, content: JsonObjectSchema }), {
      maxItems: MAX_DISPUTE_EVIDENCE,
    }),
    recordStatus: { ...Status, description: 'Status of the record after the call' },
    signedStatement: orNull(SignedStatementSchema),
    ...RECORD_GUIDANCE,
  },
  {
    description:
      'A dispute. signedStatement is the chain entry that the call wrote; on a GET the newest of the record. resolvedBy and resolvedAt also say who withdrew it, and when.',
  },
);

export const ListedDisputeSchema = Type.Object(
  { ...HEAD, evidence: Type.Array(Type.Object(PIECE), { description: 'Without its content' }) },
  { description: 'A dispute as a listing shows it' },
);

export const DisputePage = pageOf(ListedDisputeSchema);
