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

/** Pieces of evidence in one dispute. */
export const MAX_DISPUTE_EVIDENCE = 32;

/** Of one piece, in its RFC 8785 form. */
export const MAX_DISPUTE_EVIDENCE_BYTES = 128 * 1024;

export type DisputeOutcome = 'UPHELD' | 'OVERTURNED';

/** What one side put before whoever decides. The service takes it as it is. */
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
  /** The side it was opened for: the one that the outcome went against. */
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

/** A dispute but for its evidence, which can be large. */
export type DisputeHead = Omit<Dispute, 'evidence'>;
