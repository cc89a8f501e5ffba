import type { VaultAlgorithm } from './algorithm.ts';

/** A private key of the software signer, encrypted under a key that the database does not hold. */
export interface SealedKey {
  readonly keyId: string;
  readonly algorithm: VaultAlgorithm;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  /** Opaque to the store. */
  readonly encryptedPrivateKey: Uint8Array;
  /** ISO 8601 with milliseconds. */
  readonly createdAt: string;
}

/**
 * Among the stores of a unit of work, so that a key and the statement that activates it commit together; and by
 * itself, each call then being a transaction of its own. `keyId` is unique.
 */
export interface SealedKeyStore {
  insert(key: SealedKey): Promise<void>;
  /** Oldest first. */
  load(): Promise<readonly SealedKey[]>;
  /** Erases the private key; it is nowhere else in the database. */
  erase(keyId: string): Promise<void>;
}
