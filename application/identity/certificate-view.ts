import { Type } from 'typebox';
import { certThumbprint, type EphemeralCert } from '../../domain/identity/ephemeral-cert.ts';
import { SCOPES } from '../../domain/identity/scopes.ts';
import type { Guide, NextStep } from '../call/guide.ts';
import { GUIDANCE, Timestamp, Uuid, oneOf } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import type { IssuedCert } from './exchange-token.ts';
import type { RevokedCert, RevokedCerts } from './revoke-certs.ts';

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

export const IssuedCertSchema = Type.Object({
  cert: CertSchema,
  certJws: Type.String({ description: 'The bearer token, shown here and never again' }),
  ...GUIDANCE,
});

export const RevokedCertSchema = Type.Object({
  ...CertSchema.properties,
  revokedAt: Timestamp,
  wasRevoked: Type.Boolean({ description: 'It was revoked before this call' }),
  ...GUIDANCE,
});

export const RevokedCertsSchema = Type.Object({
  revoked: Type.Integer({ minimum: 0 }),
  ...GUIDANCE,
});

/** Also in the examples of the answers, like the three below. */
export const CERT_ENDED =
  'The certificate opens nothing any more. The agent may exchange another token, unless its issuer is disabled.';
export const CERTS_ENDED =
  'The certificates open nothing any more. Agents may exchange other tokens, unless the issuer is disabled.';
export const USE_CERT =
  'Send certJws as "Authorization: Bearer <certJws>" until it expires, and then exchange another token.';
export const WHOAMI: NextStep = {
  action: 'whoami',
  operation: 'getWhoami',
  input: {},
  description: 'Call with the certificate, to see what it may do',
};

/** The step is for the certificate, and not for the caller, who has no credential yet. */
export const issuedCertView = ({ cert, certJws }: IssuedCert): ViewOf<typeof IssuedCertSchema> => ({
  cert: certView(cert),
  certJws,
  suggestion: USE_CERT,
  nextSteps: [WHOAMI],
});

export const revokedCertView = (
  { cert, revokedAt, wasRevoked }: RevokedCert,
  guide: Guide,
): ViewOf<typeof RevokedCertSchema> => ({
  ...certView(cert),
  revokedAt,
  wasRevoked,
  suggestion: CERT_ENDED,
  nextSteps: guide.steps({
    action: 'view-issuer',
    operation: 'getTrustedIssuer',
    input: { issuerId: cert.issuerId },
    description: 'Read the issuer that vouched for it',
  }),
});

export const revokedCertsView = (
  { issuerId, revoked }: RevokedCerts,
  guide: Guide,
): ViewOf<typeof RevokedCertsSchema> => ({
  revoked,
  suggestion: CERTS_ENDED,
  nextSteps: guide.steps({
    action: 'view-issuer',
    operation: 'getTrustedIssuer',
    input: { issuerId },
    description: 'Read the issuer',
  }),
});

const certView = (cert: EphemeralCert): ViewOf<typeof CertSchema> => ({
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
