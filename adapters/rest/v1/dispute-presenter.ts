import type { DisputeResult } from '../../../application/dispute/results.ts';
import type { DisputeHead } from '../../../domain/dispute/dispute.ts';
import type { ListedDispute } from '../../../domain/dispute/dispute-store.port.ts';
import type { Answer, View } from '../../http/route.ts';
import { presentGuidance } from '../guidance.ts';
import { presentSignedStatement } from './record-presenter.ts';

const presentDispute = (
  { dispute, record, signedStatement, guidance }: DisputeResult,
  view: View,
): object => ({
  ...presentHead(dispute),
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
  signedStatement: presentSignedStatement(signedStatement),
  ...presentGuidance(guidance, record.id, view),
});

export const disputeAnswer = (result: DisputeResult, view: View): Answer => ({
  status: 200,
  body: presentDispute(result, view),
});

export const openedDisputeAnswer = (result: DisputeResult, view: View): Answer => ({
  status: 201,
  headers: { Location: `/v1/disputes/${result.dispute.id}` },
  body: presentDispute(result, view),
});

export const presentListedDispute = (dispute: ListedDispute): object => ({
  ...presentHead(dispute),
  evidence: dispute.evidence.map(({ id, submittedBy, side, contentHash, submittedAt }) => ({
    id,
    submittedBy,
    side,
    contentHash,
    submittedAt,
  })),
});

const presentHead = (dispute: DisputeHead): object => ({
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
