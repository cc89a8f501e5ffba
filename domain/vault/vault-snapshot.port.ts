import type { ChainEntry } from './chain.ts';
import type { ChainKey } from './chain-key.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { KeyStatement, VaultKey } from './key-statement.ts';

/** A checkpoint with its RFC 3161 token, DER; null where it has none. */
export interface StampedCheckpoint extends Checkpoint {
  readonly timestampToken: Uint8Array | null;
}

/**
 * The vault as it was at one moment, every row as it is stored: nothing is verified. Long answers come in pages, read as
 * they are asked for, so that the memory does not grow with the vault.
 */
export interface VaultSnapshot {
  /** Without the pending ones; in no particular order. */
  keys(): Promise<readonly VaultKey[]>;
  /** In order of chain position. */
  statements(): Promise<readonly KeyStatement[]>;
  /** In order of log index. */
  checkpoints(): AsyncIterable<readonly StampedCheckpoint[]>;
  /** In order of chain key, by its bytes, and of position. */
  entries(): AsyncIterable<readonly ChainEntry[]>;
  /** The highest position that a checkpoint names, of those of these chains that have one. */
  coveredPositions(chainKeys: readonly ChainKey[]): Promise<ReadonlyMap<ChainKey, number>>;
}
