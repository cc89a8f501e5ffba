import type { KeyVault } from '../../domain/identity/identity-store.port.ts';
import { issuerMacInput, type TrustedIssuer } from '../../domain/identity/trusted-issuer.ts';

/** Whether the row of an issuer is as the service wrote it; an edit of the database is not to be followed. */
export const isGenuineIssuer = (
  keyVault: Pick<KeyVault, 'macs' | 'sameMac'>,
  issuer: TrustedIssuer,
): boolean =>
  keyVault.macs(issuerMacInput(issuer)).some((mac) => keyVault.sameMac(mac, issuer.rowMac));
