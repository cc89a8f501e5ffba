import { Type } from 'typebox';
import { DISPUTE_PHASES } from '../../domain/dispute/dispute.ts';
import {
  JsonObjectSchema,
  line,
  nullable,
  oneOf,
  OrgFilter,
  PAGE_INPUT,
  text,
  Uuid,
} from '../call/schemas.ts';

const CLOSED = { additionalProperties: false } as const;

const Evidence = {
  ...JsonObjectSchema,
  description:
    'Any JSON object; in an encrypted type a JWE General JSON Serialization object (RFC 7516)',
};

export const DisputeInput = Type.Object({ disputeId: Uuid }, CLOSED);

export const OpenDisputeInput = Type.Object(
  {
    recordId: Uuid,
    grounds: Type.Optional(
      line({
        minLength: 1,
        maxLength: 128,
        default: 'OTHER',
        description: 'In a word of your own',
      }),
    ),
    statement: Type.Optional(
      text({
        maxLength: 4000,
        description: 'What is wrong with the outcome; in the clear, also in an encrypted type',
      }),
    ),
    evidence: Type.Optional(Evidence),
  },
  CLOSED,
);

export const SubmitDisputeEvidenceInput = Type.Object(
  { recordId: Uuid, evidence: Evidence },
  CLOSED,
);

export const EscalateDisputeInput = Type.Object(
  { recordId: Uuid, reason: Type.Optional(nullable(text({ maxLength: 2000 }))) },
  CLOSED,
);

export const ResolveDisputeInput = Type.Object(
  {
    recordId: Uuid,
    outcome: oneOf(['UPHELD', 'OVERTURNED'], 'Whether the outcome of the record stands'),
    resolution: text({
      minLength: 1,
      maxLength: 2000,
      description: 'Why; sealed in the clear',
    }),
  },
  CLOSED,
);

export const ListDisputesInput = Type.Object(
  {
    status: Type.Optional(oneOf(['open', 'ended'], 'Open disputes alone, or those that are over')),
    phase: Type.Optional(oneOf(DISPUTE_PHASES, 'In this phase')),
    tier: Type.Optional(
      Type.Unsafe<1 | 2 | 3>(
        Type.Integer({ minimum: 1, maximum: 3, description: 'That have reached this tier' }),
      ),
    ),
    recordId: Type.Optional({ ...Uuid, description: 'Of this record' }),
    orgId: Type.Optional(OrgFilter),
    ...PAGE_INPUT,
  },
  CLOSED,
);
