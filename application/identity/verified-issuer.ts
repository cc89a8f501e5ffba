import type { ApiKeyHasher } from '../../domain/identity/api-key-hasher.port.ts';
import { issuerMacInput, type TrustedIssuer } from '../../domain/identity/trusted-issuer.ts';

/**
 * Whether the service itself wrote the row of the issuer. A row that was edited in the database
 * must not be trusted.
 */
export const isVerifiedIssuer = (
  keyHasher: Pick<ApiKeyHasher, 'macs' | 'sameMac'>,
  issuer: TrustedIssuer,
): boolean =>
  keyHasher.macs(issuerMacInput(issuer)).some((mac) => keyHasher.sameMac(mac, issuer.rowMac));
