import type { Dispute } from '../dispute/dispute.ts';
import type { JsonObject } from '../kernel/canonical-json.ts';
import type { Completion } from '../record/completion.ts';
import type { RecordStatePredicate } from '../record/record-statement.ts';
import type { RecordState } from '../record/record-state.ts';

/** What the event of a step says beside the members of every record event: the same on the mirror as at home. */
export const mirroredEventData = (
  { transition, reason: said, reference, verdict, completionId, cancelledBy }: RecordStatePredicate,
  after: RecordState,
  completion: Completion | undefined,
  dispute: Dispute | undefined,
): JsonObject => {
  const reason = said ?? null;
  switch (transition.action) {
    case 'create':
    case 'accept':
    case 'accept-counter':
      return { round: after.proposalRounds, awaiting: proposalAwaits(after) };
    case 'reject':
      return { round: after.proposalRounds, awaiting: null, reason };
    case 'counter-propose':
      return { round: after.proposalRounds, awaiting: proposalAwaits(after) };
    case 'submit-completion':
      return {
        completionId: completionId ?? null,
        evidenceHash: completion?.evidenceHash ?? after.latestEvidenceHash,
        revision: completion?.revision ?? after.revisionCount + 1,
        gate: completion?.gate.state ?? 'PENDING',
      };
    case 'render-verdict':
    case 'evaluate':
      return {
        completionId: completionId ?? null,
        verdict: verdict ?? (after.status === 'FULFILLED' ? 'accept' : 'reject'),
        reason,
      };
    case 'revision':
      return { completionId: completionId ?? null, reason, revisionCount: after.revisionCount };
    case 'cancel':
      return { reason, cancelledBy: cancelledBy ?? null };
    case 'add-reference':
      return reference
        ? { reference: { kind: reference.kind, uri: reference.uri, digest: reference.digest } }
        : {};
    default:
      return dispute
        ? {
            disputeId: dispute.id,
            phase: dispute.phase,
            tier: dispute.tier,
            side: dispute.side,
            initiatorRole: dispute.initiatorRole,
            outcome: dispute.outcome,
          }
        : {};
  }
};

const proposalAwaits = ({ status, awaiting }: RecordState): string | null =>
  status === 'PROPOSED' ? awaiting : null;
