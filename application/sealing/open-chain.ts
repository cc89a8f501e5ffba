import type { ChainKey } from '../../domain/vault/chain-key.ts';
import type { ChainHead } from '../../domain/vault/chain.ts';

/** A chain that a unit of work is about to write: its head, locked, and the time of the next entry. */
export interface OpenChain {
  readonly chainKey: ChainKey;
  readonly head: ChainHead | null;
  /** ISO 8601 with milliseconds. */
  readonly at: string;
}
