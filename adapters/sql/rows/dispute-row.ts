import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import type { Dispute, DisputeEvidence, DisputeHead } from '../../../domain/record/dispute.ts';
import type { DisputeParties } from '../../../domain/record/dispute-store.port.ts';
import type { ActorClaim } from '../../../domain/vault/statement.ts';
import type { SqlValue } from '../session.ts';
import {
  hexFromSql,
  hexToSql,
  jsonFromSql,
  jsonToSql,
  orNull,
  timeFromSql,
  timeToSql,
  uuidFromSql,
  uuidToSql,
} from '../values.ts';
import { table } from './tables.ts';

export const DISPUTES = table('disputes', [
  'id',
  'record_id',
  'org_id',
  'performer_org_id',
  'principal_agent_id',
  'performer_agent_id',
  'initiated_by',
  'initiator_role',
  'side',
  'grounds',
  'statement',
  'evidence_deadline',
  'opened_at',
  'phase',
  'tier',
  'phase_deadline',
  'outcome',
  'resolution',
  'resolved_by',
  'resolved_at',
]);

export const DISPUTE_EVIDENCE = table('dispute_evidence', [
  'dispute_id',
  'ordinal',
  'id',
  'submitted_by',
  'side',
  'content',
  'content_hash',
  'submitted_at',
]);

export interface DisputeRow {
  readonly id: Uint8Array;
  readonly record_id: Uint8Array;
  readonly initiated_by: string;
  readonly initiator_role: Dispute['initiatorRole'];
  readonly side: Dispute['side'];
  readonly grounds: string | null;
  readonly statement: string | null;
  readonly evidence_deadline: number;
  readonly opened_at: number;
  readonly phase: Dispute['phase'];
  readonly tier: Dispute['tier'];
  readonly phase_deadline: number | null;
  readonly outcome: Dispute['outcome'];
  readonly resolution: string | null;
  readonly resolved_by: string | null;
  readonly resolved_at: number | null;
}

export interface ListedEvidenceRow {
  readonly dispute_id: Uint8Array;
  readonly id: Uint8Array;
  readonly submitted_by: string;
  readonly side: DisputeEvidence['side'];
  readonly content_hash: Uint8Array;
  readonly submitted_at: number;
}

export interface EvidenceRow extends ListedEvidenceRow {
  readonly content: string;
}

/** In the order of DISPUTES.columns. */
export const disputeToRow = (dispute: Dispute, parties: DisputeParties): readonly SqlValue[] => [
  uuidToSql(dispute.id),
  uuidToSql(dispute.recordId),
  uuidToSql(parties.orgId),
  orNull(parties.performerOrgId, uuidToSql),
  uuidToSql(parties.principalAgentId),
  orNull(parties.performerAgentId, uuidToSql),
  jsonToSql(dispute.initiatedBy),
  dispute.initiatorRole,
  dispute.side,
  dispute.grounds,
  dispute.statement,
  timeToSql(dispute.evidenceDeadline),
  timeToSql(dispute.openedAt),
  ...progressToRow(dispute),
];

/** What may change: the columns of DISPUTES from `phase` on. */
export const PROGRESS_COLUMNS = DISPUTES.columns.slice(DISPUTES.columns.indexOf('phase'));

export const progressToRow = (dispute: Dispute): readonly SqlValue[] => [
  dispute.phase,
  dispute.tier,
  orNull(dispute.phaseDeadline, timeToSql),
  dispute.outcome,
  dispute.resolution,
  orNull(dispute.resolvedBy, jsonToSql),
  orNull(dispute.resolvedAt, timeToSql),
];

export const headOf = (row: DisputeRow): DisputeHead => ({
  id: uuidFromSql(row.id),
  recordId: uuidFromSql(row.record_id),
  phase: row.phase,
  tier: row.tier,
  initiatedBy: jsonFromSql<ActorClaim>(row.initiated_by),
  initiatorRole: row.initiator_role,
  side: row.side,
  grounds: row.grounds,
  statement: row.statement,
  evidenceDeadline: timeFromSql(row.evidence_deadline),
  phaseDeadline: orNull(row.phase_deadline, timeFromSql),
  outcome: row.outcome,
  resolution: row.resolution,
  resolvedBy: orNull(row.resolved_by, (text) => jsonFromSql<ActorClaim>(text)),
  openedAt: timeFromSql(row.opened_at),
  resolvedAt: orNull(row.resolved_at, timeFromSql),
});

/** In the order of DISPUTE_EVIDENCE.columns. */
export const evidenceToRow = (
  disputeId: string,
  evidence: DisputeEvidence,
  ordinal: number,
): readonly SqlValue[] => [
  uuidToSql(disputeId),
  ordinal,
  uuidToSql(evidence.id),
  jsonToSql(evidence.submittedBy),
  evidence.side,
  jsonToSql(evidence.content),
  hexToSql(evidence.contentHash),
  timeToSql(evidence.submittedAt),
];

export const rowToListedEvidence = (row: ListedEvidenceRow): Omit<DisputeEvidence, 'content'> => ({
  id: uuidFromSql(row.id),
  submittedBy: jsonFromSql<ActorClaim>(row.submitted_by),
  side: row.side,
  contentHash: hexFromSql(row.content_hash),
  submittedAt: timeFromSql(row.submitted_at),
});

export const rowToEvidence = (row: EvidenceRow): DisputeEvidence => ({
  ...rowToListedEvidence(row),
  content: jsonFromSql<JsonObject>(row.content),
});
