import type { VaultAlgorithm } from '../../domain/vault/algorithm.ts';
import type { Canonicalization } from '../../domain/vault/statement.ts';

export interface VaultOptions {
  readonly algorithm: VaultAlgorithm;
  readonly canonicalization: Canonicalization;
  /** Without a trailing slash. Fixed by the first start; a later difference is a warning. */
  readonly predicateBase: string;
}
