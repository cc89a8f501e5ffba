import type { Dispute, DisputeEvidence } from '../dispute/dispute.ts';
import { isObject, type JsonObject } from '../kernel/canonical-json.ts';
import { hashJson } from '../kernel/digest.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { RecordStatePredicate } from '../record/record-statement.ts';
import type { ActorClaim } from '../vault/statement.ts';

interface Given {
  readonly recordId: Uuid;
  readonly actor: ActorClaim;
  readonly at: string;
  /** Of the piece of evidence that the entry brings. */
  readonly pieceId: Uuid;
}

/** A dispute that was opened at home. Null where its entry does not say what an opening has to. */
export const disputeOpened = (
  { dispute: claim }: RecordStatePredicate,
  content: JsonObject,
  { recordId, actor, at, pieceId }: Given,
): Dispute | null => {
  const grounds = content['grounds'];
  const statement = content['statement'];
  const evidence = content['evidence'];
  if (!claim?.side || !claim.deadline) return null;
  return {
    id: claim.id,
    recordId,
    phase: 'EVIDENCE_WINDOW',
    tier: 1,
    initiatedBy: actor,
    initiatorRole: claim.side,
    side: claim.side,
    grounds: typeof grounds === 'string' ? grounds : null,
    statement: typeof statement === 'string' ? statement : null,
    evidence: isObject(evidence) ? [piece(pieceId, evidence, claim.side, actor, at)] : [],
    evidenceDeadline: claim.deadline,
    phaseDeadline: claim.deadline,
    outcome: null,
    resolution: null,
    resolvedBy: null,
    openedAt: at,
    resolvedAt: null,
  };
};

/** The dispute after a further step of home. */
export const disputeMoved = (
  dispute: Dispute,
  { entryType, dispute: claim, reason }: RecordStatePredicate,
  content: JsonObject | null,
  { actor, at, pieceId }: Given,
): Dispute => {
  const phaseDeadline = claim?.deadline ?? null;
  const evidence = content?.['evidence'];
  switch (entryType) {
    case 'DISPUTE_EVIDENCE_SUBMITTED':
      return isObject(evidence) && claim?.side
        ? {
            ...dispute,
            evidence: [...dispute.evidence, piece(pieceId, evidence, claim.side, actor, at)],
          }
        : dispute;
    case 'DISPUTE_ESCALATED':
      return {
        ...dispute,
        phase: claim?.tier === 3 ? 'TIER_3_ARBITRATION' : 'TIER_2_REVIEW',
        tier: claim?.tier === 3 ? 3 : 2,
        phaseDeadline,
      };
    case 'DISPUTE_RESOLVED':
      return {
        ...dispute,
        phase: 'RESOLVED',
        phaseDeadline: null,
        outcome: claim?.outcome ?? null,
        resolution: reason ?? null,
        resolvedBy: actor,
        resolvedAt: at,
      };
    case 'DISPUTE_WITHDRAWN':
      return {
        ...dispute,
        phase: 'WITHDRAWN',
        phaseDeadline: null,
        resolvedBy: actor,
        resolvedAt: at,
      };
    default:
      return dispute;
  }
};

const piece = (
  id: Uuid,
  content: JsonObject,
  side: DisputeEvidence['side'],
  submittedBy: ActorClaim,
  submittedAt: string,
): DisputeEvidence => ({
  id,
  submittedBy,
  side,
  content,
  contentHash: hashJson(content),
  submittedAt,
});
