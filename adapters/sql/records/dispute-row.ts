import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import type { Dispute, DisputeEvidence } from '../../../domain/dispute/dispute.ts';
import type { ActorClaim } from '../../../domain/vault/statement.ts';
import { HEX, INSTANT, INTEGER, json, nullable, oneOf, TEXT, UUID } from '../tables/codec.ts';
import { column, written } from '../tables/column.ts';
import type { RowOf } from '../tables/column-map.ts';
import { table } from '../tables/tables.ts';

/** A dispute without its evidence, which has a table of its own. */
export const DISPUTES = table('disputes', {
  id: column('id', UUID),
  recordId: column('record_id', UUID),
  // The parties stand here as on the record, so that a listing reads one table.
  orgId: written('org_id', UUID),
  performerOrgId: written('performer_org_id', nullable(UUID)),
  principalAgentId: written('principal_agent_id', UUID),
  performerAgentId: written('performer_agent_id', nullable(UUID)),
  phase: column('phase', oneOf<Dispute['phase']>()),
  tier: column('tier', oneOf<Dispute['tier']>()),
  initiatedBy: column('initiated_by', json<ActorClaim>()),
  initiatorRole: column('initiator_role', oneOf<Dispute['initiatorRole']>()),
  side: column('side', oneOf<Dispute['side']>()),
  grounds: column('grounds', nullable(TEXT)),
  statement: column('statement', nullable(TEXT)),
  evidenceDeadline: column('evidence_deadline', INSTANT),
  phaseDeadline: column('phase_deadline', nullable(INSTANT)),
  outcome: column('outcome', nullable(oneOf<NonNullable<Dispute['outcome']>>())),
  resolution: column('resolution', nullable(TEXT)),
  resolvedBy: column('resolved_by', nullable(json<ActorClaim>())),
  openedAt: column('opened_at', INSTANT),
  resolvedAt: column('resolved_at', nullable(INSTANT)),
});

export type DisputeRow = RowOf<typeof DISPUTES>;

export const DISPUTE_EVIDENCE = table('dispute_evidence', {
  disputeId: written('dispute_id', UUID),
  ordinal: written('ordinal', INTEGER),
  id: column('id', UUID),
  submittedBy: column('submitted_by', json<ActorClaim>()),
  side: column('side', oneOf<DisputeEvidence['side']>()),
  contentHash: column('content_hash', HEX),
  submittedAt: column('submitted_at', INSTANT),
  content: column('content', json<JsonObject>()),
});
