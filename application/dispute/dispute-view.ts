import { Type } from 'typebox';
import {
  DISPUTE_PHASES,
  MAX_DISPUTE_EVIDENCE,
  type DisputeHead,
} from '../../domain/dispute/dispute.ts';
import type { ListedDispute } from '../../domain/dispute/dispute-store.port.ts';
import type { Guide } from '../call/guide.ts';
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
} from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import { guidanceView } from '../record/guidance-view.ts';
import { newestStatementView } from '../sealing/signed-statement-view.ts';
import type { DisputeResult } from '../record/dispute-result.ts';

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

export const DisputePageSchema = pageOf(ListedDisputeSchema);

export const disputeView = (
  { dispute, record, signedStatement, guidance }: DisputeResult,
  guide: Guide,
): ViewOf<typeof DisputeSchema> => ({
  ...headView(dispute),
  evidence: dispute.evidence.map(
    ({ id, submittedBy, side, content, contentHash, submittedAt }) => ({
      id,
      submittedBy,
      side,
      content,
      contentHash,
      submittedAt,
    }),
  ),
  recordStatus: record.status,
  signedStatement: newestStatementView(signedStatement),
  ...guidanceView(guidance, record.id, guide),
});

export const listedDisputeView = (dispute: ListedDispute): ViewOf<typeof ListedDisputeSchema> => ({
  ...headView(dispute),
  evidence: dispute.evidence.map(({ id, submittedBy, side, contentHash, submittedAt }) => ({
    id,
    submittedBy,
    side,
    contentHash,
    submittedAt,
  })),
});

const headView = (dispute: DisputeHead) => ({
  id: dispute.id,
  recordId: dispute.recordId,
  phase: dispute.phase,
  tier: dispute.tier,
  initiatedBy: dispute.initiatedBy,
  initiatorRole: dispute.initiatorRole,
  side: dispute.side,
  grounds: dispute.grounds,
  statement: dispute.statement,
  evidenceDeadline: dispute.evidenceDeadline,
  phaseDeadline: dispute.phaseDeadline,
  outcome: dispute.outcome,
  resolution: dispute.resolution,
  resolvedBy: dispute.resolvedBy,
  openedAt: dispute.openedAt,
  resolvedAt: dispute.resolvedAt,
});
