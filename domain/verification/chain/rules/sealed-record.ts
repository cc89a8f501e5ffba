import type { FederationClaim } from '../../../record/record-statement.ts';
import type { RecordFacts } from '../../../record/record-facts.ts';
import type { RecordState } from '../../../record/record-state.ts';
import type { Manifest } from '../../../record-type/manifest.ts';

/** A record as its chain tells it. What only the manifest says is as if nothing could be disputed where that is missing. */
export type SealedRecord = Pick<
  RecordState,
  | 'id'
  | 'orgId'
  | 'performerOrgId'
  | 'gateMode'
  | 'operatingMode'
  | 'platformRef'
  | 'status'
  | 'principalAgentId'
  | 'performerAgentId'
  | 'parentRecordId'
  | 'rootRecordId'
  | 'depth'
  | 'awaiting'
  | 'revisionCount'
  | 'proposalRounds'
  | 'childCount'
  | 'latestCompletionId'
  | 'completionPending'
  | 'cancelledBy'
  | 'disputed'
  | 'openDisputeId'
  | 'disputeCount'
  | 'maxDisputes'
  | 'disputeWindowSeconds'
  | 'expiresAt'
  | 'terminalAt'
  | 'updatedAt'
> & {
  /** Null where the record is of this hub alone. */
  readonly federation: FederationClaim | null;
  /** A counter-proposal is on the table. */
  readonly hasCounter: boolean;
};

/** @param facts of entries that are all of the published form. */
export const sealedRecord = (
  facts: RecordFacts,
  manifest: Manifest | null,
  federation: FederationClaim | null,
): SealedRecord => {
  const known = facts as unknown as Omit<SealedRecord, 'id'> & { readonly recordId: string };
  // Member by member: a copy of all of them costs more than every rule together.
  return {
    id: known.recordId,
    orgId: known.orgId,
    performerOrgId: known.performerOrgId,
    gateMode: known.gateMode,
    operatingMode: known.operatingMode,
    platformRef: known.platformRef,
    status: known.status,
    principalAgentId: known.principalAgentId,
    performerAgentId: known.performerAgentId,
    parentRecordId: known.parentRecordId,
    rootRecordId: known.rootRecordId,
    depth: known.depth,
    awaiting: known.awaiting,
    revisionCount: known.revisionCount,
    proposalRounds: known.proposalRounds,
    childCount: known.childCount,
    latestCompletionId: known.latestCompletionId,
    completionPending: known.completionPending,
    cancelledBy: known.cancelledBy,
    disputed: known.disputed,
    openDisputeId: known.openDisputeId,
    disputeCount: known.disputeCount,
    expiresAt: known.expiresAt,
    terminalAt: known.terminalAt,
    updatedAt: known.updatedAt,
    maxDisputes: manifest?.maxDisputes ?? 0,
    disputeWindowSeconds: manifest?.disputeWindowSeconds ?? 0,
    federation,
    hasCounter: facts.counterProposal !== null,
  };
};
