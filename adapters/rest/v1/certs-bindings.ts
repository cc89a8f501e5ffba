import {
  exchangeToken,
  revokeCert,
  revokeIssuerCerts,
} from '../../../application/identity/certificate-operations.ts';
import { bind, type RestBinding } from '../binding.ts';

/** Certificates of agents: issued for a token, and revoked before they expire. */
export const certBindings: readonly RestBinding[] = [
  bind(revokeIssuerCerts, {
    method: 'POST',
    path: '/v1/admin/trusted-issuers/{id}/revoke-certs',
    names: { id: 'issuerId' },
  }),
  bind(revokeCert, {
    method: 'POST',
    path: '/v1/admin/ephemeral-certs/{id}/revoke',
    names: { id: 'certId' },
  }),
  bind(exchangeToken, {
    method: 'POST',
    path: '/v1/auth/oidc/cert',
    status: 201,
    headers: { DPoP: 'A DPoP proof (RFC 9449) with ath, where the issuer demands it' },
  }),
];
