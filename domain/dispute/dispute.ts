import type { JsonObject } from '../kernel/canonical-json.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { ActorClaim } from '../vault/statement.ts';
import type { Side } from '../record/record-state.ts';

export const DISPUTE_PHASES = [
  'EVIDENCE_WINDOW',
  'TIER_2_REVIEW',
  'TIER_3_ARBITRATION',
  'RESOLVED',
  'WITHDRAWN',
] as const;
export type DisputePhase = (typeof DISPUTE_PHASES)[number];

/** Limit for the pieces of evidence in one dispute. */
export const MAX_DISPUTE_EVIDENCE = 32;

/** Limit for one piece of evidence, in its RFC 8785 form. */
export const MAX_DISPUTE_EVIDENCE_BYTES = 128 * 1024;

export type DisputeOutcome = 'UPHELD' | 'OVERTURNED';

/** What one side submitted to whoever decides. The service does not interpret it. */
export interface DisputeEvidence {
  readonly id: Uuid;
  readonly submittedBy: ActorClaim;
  readonly side: Side;
  readonly content: JsonObject;
  /** SHA-256 over the RFC 8785 form of the content, lowercase hex. */
  readonly contentHash: string;
  readonly submittedAt: string;
}

/** An objection to the outcome of a record. Times are ISO 8601 with milliseconds. */
export interface Dispute {
  readonly id: Uuid;
  readonly recordId: Uuid;
  readonly phase: DisputePhase;
  /** The tier that it has reached. */
  readonly tier: 1 | 2 | 3;
  readonly initiatedBy: ActorClaim;
  /** Derived from the key. */
  readonly initiatorRole: Side | 'admin' | 'platform';
  /** The disputing side: the one that lost. */
  readonly side: Side;
  readonly grounds: string | null;
  readonly statement: string | null;
  readonly evidence: readonly DisputeEvidence[];
  readonly evidenceDeadline: string;
  /** When the present phase ends by itself; null once it is over. */
  readonly phaseDeadline: string | null;
  readonly outcome: DisputeOutcome | null;
  readonly resolution: string | null;
  readonly resolvedBy: ActorClaim | null;
  readonly openedAt: string;
  readonly resolvedAt: string | null;
}

/** A dispute without its evidence, which can be large. */
export type DisputeHead = Omit<Dispute, 'evidence'>;
