import type { Checkpoint } from './checkpoint.ts';
import type { ChainKey } from './chain-key.ts';

/** Time-stamp tokens of checkpoints, inside a unit of work. */
export interface TimestampStore {
  /**
   * A checkpoint has one token at most, for good: a second one comes out of the unit of work as DuplicateError.
   *
   * @param token TimeStampToken, DER.
   */
  insert(logIndex: number, token: Uint8Array): Promise<void>;
}

/** The tokens that are committed, as they are stored: nothing is verified. */
export interface TimestampReads {
  /** Of the checkpoint that is this leaf of the log; null where it has none. */
  of(logIndex: number): Promise<Uint8Array | null>;
  /**
   * Of the newest checkpoints of the chain, as many as the limit, those without a token that are newer than the newest one
   * with a token; the newest first.
   */
  missing(chainKey: ChainKey, limit: number): Promise<readonly Checkpoint[]>;
}
