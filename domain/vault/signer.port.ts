import type { VaultAlgorithm } from './algorithm.ts';

/**
 * Holds one private key and signs with it.
 *
 * `sign` gives the raw signature as COSE wants it: 64 bytes, for ES256 r‖s with a low s (RFC 9053 section 2.1).
 * It signs the exact bytes it is given and remembers nothing. A key that cannot be reached rejects with
 * SERVICE_UNAVAILABLE ("cannot sign"); it never answers with another key's signature.
 */
export interface Signer {
  /** First 32 hex characters of the RFC 9679 thumbprint of the public key. */
  readonly keyId: string;
  readonly algorithm: VaultAlgorithm;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}
