import type { webcrypto } from 'node:crypto';
import type { VaultAlgorithm } from '../../../domain/vault/algorithm.ts';

/** The key of one thread: it cannot be exported there either. */
export interface SigningThreadKey {
  readonly algorithm: VaultAlgorithm;
  readonly key: webcrypto.CryptoKey;
}

/** What is signed together, one after the other in one buffer. */
export interface SigningTask {
  readonly bytes: Uint8Array;
  readonly lengths: readonly number[];
}

/** The signatures in the same order, one after the other; a failure is of all of them. */
export type SigningAnswer = { readonly signatures: Uint8Array } | { readonly failure: string };
