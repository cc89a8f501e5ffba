import type { VaultAlgorithm } from '../../domain/vault/algorithm.ts';

/** What the crypto provider of this host really computes: in FIPS mode some lack Ed25519. */
export interface CryptoCapabilities {
  /** Signs and verifies once to find out; never rejects. The answer does not change while the process runs. */
  canUse(algorithm: VaultAlgorithm): Promise<boolean>;
}
