import { Type } from 'typebox';
import { certThumbprint, type EphemeralCert } from '../../../domain/identity/ephemeral-cert.ts';
import { SCOPES } from '../../../domain/identity/scopes.ts';
import { Timestamp, Uuid, oneOf } from '../wire.ts';

export const CertSchema = Type.Object({
  id: Uuid,
  orgId: Uuid,
  agentId: Uuid,
  oidcIss: Type.String(),
  oidcSub: Type.String(),
  publicKeyThumbprint: Type.String({ description: 'RFC 7638, base64url' }),
  scopes: Type.Array(oneOf(SCOPES), { description: 'Exactly what the identity provider asserted' }),
  issuedAt: Timestamp,
  expiresAt: Timestamp,
});

export const presentCert = (cert: EphemeralCert): object => ({
  id: cert.id,
  orgId: cert.orgId,
  agentId: cert.agentId,
  oidcIss: cert.oidcIss,
  oidcSub: cert.oidcSub,
  publicKeyThumbprint: certThumbprint(cert),
  scopes: cert.scopes,
  issuedAt: cert.issuedAt,
  expiresAt: cert.expiresAt,
});
