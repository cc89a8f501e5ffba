import type { VaultAlgorithm } from '../../domain/vault/algorithm.ts';
import type { CryptoCapabilities } from './crypto-capabilities.port.ts';

/** A host in FIPS mode may lack Ed25519; keys are then made for ES256. */
export const usableAlgorithm = async (
  wanted: VaultAlgorithm,
  capabilities: CryptoCapabilities,
): Promise<VaultAlgorithm> =>
  wanted !== 'ES256' && !(await capabilities.canUse(wanted)) ? 'ES256' : wanted;
