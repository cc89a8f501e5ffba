import type { VaultAlgorithm } from './algorithm.ts';
import type { SealedKey } from './sealed-key-store.port.ts';
import type { Signer } from './signer.port.ts';

/**
 * Makes signing keys and opens them again. A private key leaves it only in sealed form.
 *
 * `open` rejects with SealedKeyError where the key cannot be opened with what this process was given, or is
 * not what was sealed; it never gives a signer of another key.
 */
export interface KeySource {
  generate(
    algorithm: VaultAlgorithm,
  ): Promise<{ readonly signer: Signer; readonly sealed: SealedKey }>;
  open(sealed: SealedKey): Promise<Signer>;
}

/** A sealed key that does not open. The message is written for the operator and holds no key material. */
export class SealedKeyError extends Error {
  override readonly name = 'SealedKeyError';
}
