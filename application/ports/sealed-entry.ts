import type { ChainEntry } from '../../domain/vault/chain.ts';
import type { Canonicalization } from '../../domain/vault/statement.ts';

/** An entry that this process has just sealed, with the form that it chose. */
export interface SealedEntry extends ChainEntry {
  readonly canonicalization: Canonicalization;
}
