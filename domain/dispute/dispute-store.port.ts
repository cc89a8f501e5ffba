import type { JsonObject } from '../kernel/canonical-json.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Slice, SliceRequest } from '../kernel/page.ts';
import type { Dispute, DisputeEvidence, DisputeHead, DisputePhase } from './dispute.ts';
import type { RecordFilter } from '../record/record-store.port.ts';
import type { RecordState } from '../record/record-state.ts';

/** The parties of a record, by which its disputes are found. */
export type DisputeParties = Pick<
  RecordState,
  'orgId' | 'performerOrgId' | 'principalAgentId' | 'performerAgentId'
>;

/**
 * Disputes inside a unit of work, which holds the lock of the record: nobody else writes them.
 *
 * `insert` and `addEvidence` may be deferred to the commit. `update` writes what may change of a dispute but for its
 * evidence; where the row is gone, the unit of work fails.
 */
export interface DisputeStore {
  /** Writes the dispute and its evidence. */
  insert(dispute: Dispute, parties: DisputeParties): Promise<void>;
  /** Locks the row until the end of the unit of work; null where it is missing. */
  lock(id: Uuid): Promise<Dispute | null>;
  update(dispute: Dispute): Promise<void>;
  /** @param ordinal its place among the evidence, from 1. */
  addEvidence(disputeId: Uuid, evidence: DisputeEvidence, ordinal: number): Promise<void>;
}

export interface DisputeFilter {
  readonly reader: RecordFilter['reader'];
  readonly status?: 'open' | 'ended';
  readonly phase?: DisputePhase;
  readonly tier?: 1 | 2 | 3;
  readonly recordId?: Uuid;
}

/** Evidence as a listing shows it. */
export type ListedDispute = DisputeHead &
  Pick<DisputeParties, 'orgId' | 'performerOrgId'> & {
    readonly evidence: readonly Omit<DisputeEvidence, 'content'>[];
  };

/** What whoever opened a dispute said. */
export type DisputeOpening = Pick<Dispute, 'recordId' | 'grounds' | 'statement'>;

/** Committed rows, outside of a unit of work. Null where missing. */
export interface DisputeReads {
  find(id: Uuid): Promise<Dispute | null>;
  head(id: Uuid): Promise<DisputeHead | null>;
  /** The newest one of a record. */
  newestOf(recordId: Uuid): Promise<Dispute | null>;
  /** What it was opened with, but for evidence; no other column is read. */
  openingOf(id: Uuid): Promise<DisputeOpening | null>;
  /** What one piece of evidence says. @param ordinal its place among the evidence of the dispute, from 1. */
  contentAt(id: Uuid, ordinal: number): Promise<JsonObject | null>;
  /** The newest first. Evidence comes without its content, which can be large. */
  list(filter: DisputeFilter, slice: SliceRequest): Promise<Slice<ListedDispute>>;
}
