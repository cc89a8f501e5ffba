import type { ChainKey } from './chain-key.ts';
import type { Checkpoint } from './checkpoint.ts';

/** A checkpoint that was copied out of the database. */
export interface AnchoredCheckpoint {
  readonly logIndex: number;
  readonly chainKey: ChainKey;
  readonly position: number;
  readonly objectKey: string;
  /** ISO 8601 with milliseconds. */
  readonly anchoredAt: string;
}

/** What a comparison of anchors with their checkpoints gave. */
export interface AnchorVerification {
  /** ISO 8601 with milliseconds. */
  readonly at: string;
  readonly checked: number;
  readonly mismatches: number;
}

/** How the sweeps went. */
export interface AnchorSweepState {
  /** ISO 8601 with milliseconds; null before the first. */
  readonly lastSweepAt: string | null;
  /** Of the newest sweep in which everything was anchored. */
  readonly lastSuccessAt: string | null;
  /** Sweeps that failed since then. */
  readonly failures: number;
  /** Chains whose newest checkpoint was not anchored after the sweep; counted up to 1000. */
  readonly pending: number;
  readonly lastVerify: AnchorVerification | null;
}

/** Remembers which checkpoints were anchored, as it is committed. */
export interface AnchorLog {
  /** Checkpoints that are the newest of their chain and not anchored, the newest first, without the platform chain. */
  pending(limit: number): Promise<readonly Checkpoint[]>;
  /** A checkpoint that is recorded already stays as it is. */
  record(anchored: readonly AnchoredCheckpoint[]): Promise<void>;
  /** Of one chain, newest first. */
  ofChain(chainKey: ChainKey, limit: number): Promise<readonly AnchoredCheckpoint[]>;
  /** Some of all, chosen by chance; the same one at most once. */
  sample(count: number): Promise<readonly AnchoredCheckpoint[]>;
  state(): Promise<AnchorSweepState>;
  save(state: AnchorSweepState): Promise<void>;
}
