import type { RewindFinding } from './rewind.ts';

/** Findings, inside a unit of work. */
export interface RewindStore {
  /** False where the same checkpoint was found to contradict the chain before. */
  add(finding: RewindFinding): Promise<boolean>;
  /** @param at ISO 8601 with milliseconds. */
  acknowledge(
    finding: Pick<RewindFinding, 'chainKey' | 'checkpointHash'>,
    at: string,
  ): Promise<void>;
  /** Of a chain that is whole again. */
  remove(finding: Pick<RewindFinding, 'chainKey' | 'checkpointHash'>): Promise<void>;
}

/**
 * Findings as they are committed. They are no evidence: a row that is gone is found again, and what lifts a finding is its
 * entry on the platform chain.
 */
export interface RewindReads {
  /** Newest first. */
  list(limit: number): Promise<readonly RewindFinding[]>;
  /** Those that no row says to be acknowledged. */
  open(): Promise<readonly RewindFinding[]>;
}
