import type { ApiKeyHasher } from '../../domain/identity/api-key-hasher.port.ts';
import { issuerMacInput, type TrustedIssuer } from '../../domain/identity/trusted-issuer.ts';

/** Whether the row of an issuer is as the service wrote it; an edit of the database is not to be followed. */
export const isVerifiedIssuer = (
  keyHasher: Pick<ApiKeyHasher, 'macs' | 'sameMac'>,
  issuer: TrustedIssuer,
): boolean =>
  keyHasher.macs(issuerMacInput(issuer)).some((mac) => keyHasher.sameMac(mac, issuer.rowMac));
