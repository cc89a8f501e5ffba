import type { EphemeralCert, KeyHolder } from '../../../domain/identity/ephemeral-cert.ts';
import type { Scope } from '../../../domain/identity/scopes.ts';
import type { ClaimMapping, TrustedIssuer } from '../../../domain/identity/trusted-issuer.ts';
import type { SqlValue } from '../session.ts';
import {
  booleanFromSql,
  booleanToSql,
  bytesFromSql,
  jsonFromSql,
  jsonToSql,
  orNull,
  timeFromSql,
  timeToSql,
  uuidFromSql,
  uuidToSql,
} from '../values.ts';
import { table } from './tables.ts';

export const TRUSTED_ISSUERS = table('trusted_issuers', [
  'id',
  'org_id',
  'issuer_url',
  'jwks_uri',
  'expected_audience',
  'applies_to',
  'claim_mapping',
  'max_ttl_seconds',
  'enabled',
  'subject_allowlist',
  'require_proof',
  'require_co_signature',
  'managed_by',
  'created_at',
  'updated_at',
  'row_mac',
]);

export interface TrustedIssuerRow {
  readonly id: Uint8Array;
  readonly org_id: Uint8Array | null;
  readonly issuer_url: string;
  readonly jwks_uri: string | null;
  readonly expected_audience: string;
  readonly applies_to: TrustedIssuer['appliesTo'];
  readonly claim_mapping: string;
  readonly max_ttl_seconds: number;
  readonly enabled: number;
  readonly subject_allowlist: string;
  readonly require_proof: TrustedIssuer['requireProof'];
  readonly require_co_signature: TrustedIssuer['requireCoSignature'];
  readonly managed_by: TrustedIssuer['managedBy'];
  readonly created_at: number;
  readonly updated_at: number;
  readonly row_mac: Uint8Array;
}

/** In the order of TRUSTED_ISSUERS.columns. */
export const trustedIssuerToRow = (issuer: TrustedIssuer): readonly SqlValue[] => [
  uuidToSql(issuer.id),
  orNull(issuer.orgId, uuidToSql),
  issuer.issuerUrl,
  issuer.jwksUri,
  issuer.expectedAudience,
  issuer.appliesTo,
  jsonToSql(issuer.claimMapping),
  issuer.maxCredentialTtlSeconds,
  booleanToSql(issuer.enabled),
  jsonToSql(issuer.subjectAllowlist),
  issuer.requireProof,
  issuer.requireCoSignature,
  issuer.managedBy,
  timeToSql(issuer.createdAt),
  timeToSql(issuer.updatedAt),
  issuer.rowMac,
];

export const rowToTrustedIssuer = (row: TrustedIssuerRow): TrustedIssuer => ({
  id: uuidFromSql(row.id),
  orgId: orNull(row.org_id, uuidFromSql),
  issuerUrl: row.issuer_url,
  jwksUri: row.jwks_uri,
  expectedAudience: row.expected_audience,
  appliesTo: row.applies_to,
  claimMapping: jsonFromSql<ClaimMapping>(row.claim_mapping),
  maxCredentialTtlSeconds: Number(row.max_ttl_seconds),
  enabled: booleanFromSql(row.enabled),
  subjectAllowlist: jsonFromSql<readonly string[]>(row.subject_allowlist),
  requireProof: row.require_proof,
  requireCoSignature: row.require_co_signature,
  managedBy: row.managed_by,
  createdAt: timeFromSql(row.created_at),
  updatedAt: timeFromSql(row.updated_at),
  rowMac: bytesFromSql(row.row_mac),
});

export const EPHEMERAL_CERTS = table('ephemeral_certs', [
  'id',
  'issuer_id',
  'org_id',
  'agent_id',
  'oidc_iss',
  'oidc_sub',
  'public_key',
  'scopes',
  'issued_at',
  'expires_at',
  'revoked_at',
]);

export interface EphemeralCertRow {
  readonly id: Uint8Array;
  readonly issuer_id: Uint8Array;
  readonly org_id: Uint8Array;
  readonly agent_id: Uint8Array;
  readonly oidc_iss: string;
  readonly oidc_sub: string;
  readonly public_key: Uint8Array;
  readonly scopes: string;
  readonly issued_at: number;
  readonly expires_at: number;
  readonly revoked_at: number | null;
}

/** In the order of EPHEMERAL_CERTS.columns. */
export const certToRow = (cert: EphemeralCert): readonly SqlValue[] => [
  uuidToSql(cert.id),
  uuidToSql(cert.issuerId),
  uuidToSql(cert.orgId),
  uuidToSql(cert.agentId),
  cert.oidcIss,
  cert.oidcSub,
  cert.publicKey,
  jsonToSql(cert.scopes),
  timeToSql(cert.issuedAt),
  timeToSql(cert.expiresAt),
  orNull(cert.revokedAt, timeToSql),
];

export const rowToCert = (row: EphemeralCertRow): EphemeralCert => ({
  id: uuidFromSql(row.id),
  issuerId: uuidFromSql(row.issuer_id),
  orgId: uuidFromSql(row.org_id),
  agentId: uuidFromSql(row.agent_id),
  oidcIss: row.oidc_iss,
  oidcSub: row.oidc_sub,
  publicKey: bytesFromSql(row.public_key),
  scopes: jsonFromSql<readonly Scope[]>(row.scopes),
  issuedAt: timeFromSql(row.issued_at),
  expiresAt: timeFromSql(row.expires_at),
  revokedAt: orNull(row.revoked_at, timeFromSql),
});

export const CERT_KEYS = table('cert_keys', ['public_key', 'oidc_iss', 'oidc_sub', 'agent_id']);

export interface CertKeyRow {
  readonly oidc_iss: string;
  readonly oidc_sub: string;
  readonly agent_id: Uint8Array;
}

export const rowToKeyHolder = (row: CertKeyRow): KeyHolder => ({
  oidcIss: row.oidc_iss,
  oidcSub: row.oidc_sub,
  agentId: uuidFromSql(row.agent_id),
});

export const SPENT_TOKENS = table('spent_tokens', ['token', 'expires_at']);
