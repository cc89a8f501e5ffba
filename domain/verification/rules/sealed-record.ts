import type { RecordFacts } from '../../record/record-facts.ts';
import type { RecordState } from '../../record/record-state.ts';
import type { Manifest } from '../../record-type/manifest.ts';

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
>;

/** @param facts of entries that are all of the published form. */
export const sealedRecord = (facts: RecordFacts, manifest: Manifest | null): SealedRecord => {
  const known = facts as unknown as Omit<SealedRecord, 'id'> & { readonly recordId: string };
  return {
    ...known,
    id: known.recordId,
    maxDisputes: manifest?.maxDisputes ?? 0,
    disputeWindowSeconds: manifest?.disputeWindowSeconds ?? 0,
  };
};
