import type { JsonObject } from '../kernel/canonical-json.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { ActorClaim } from '../vault/statement.ts';
import type { ClaimedGateResult } from './record-statement.ts';
import type { GateState } from './gate.ts';
import type { GateResult } from '../record-type/gate-evaluator.port.ts';

export interface RenderedVerdict {
  readonly verdict: 'accept' | 'reject';
  readonly reason: string | null;
  readonly renderedBy: ActorClaim;
  readonly renderedAt: string;
  /** Gate results as the principal claims them; only in the encrypted mode, and only if given. */
  readonly gateResults?: readonly ClaimedGateResult[];
}

/** One delivery of evidence. A resubmission after a revision is another completion. */
export interface Completion {
  readonly id: Uuid;
  readonly recordId: Uuid;
  /** 1-based. */
  readonly revision: number;
  readonly evidence: JsonObject;
  /** SHA-256 over the RFC 8785 form of the evidence, lowercase hex. */
  readonly evidenceHash: string;
  readonly submittedBy: ActorClaim;
  /** ISO 8601 with milliseconds. */
  readonly submittedAt: string;
  readonly gate: {
    readonly state: GateState;
    readonly evaluatedAt: string | null;
    readonly results: readonly GateResult[];
  };
  readonly verdict: RenderedVerdict | null;
  /** Position of its COMPLETION_SUBMITTED entry. */
  readonly entryPosition: number;
}
