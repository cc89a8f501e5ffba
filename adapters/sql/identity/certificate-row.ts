import type { Scope } from '../../../domain/identity/scopes.ts';
import type { ClaimMapping, TrustedIssuer } from '../../../domain/identity/trusted-issuer.ts';
import {
  BOOLEAN,
  BYTES,
  INSTANT,
  INTEGER,
  json,
  nullable,
  oneOf,
  TEXT,
  UUID,
} from '../tables/codec.ts';
import { column, written } from '../tables/column.ts';
import { sealedTable } from '../tables/sealed-table.ts';
import { table } from '../tables/tables.ts';
import { uuidFromSql } from '../base/values.ts';
import { versionedById } from '../tables/versioned.ts';

export const TRUSTED_ISSUERS = sealedTable(
  'trusted_issuers',
  {
    id: column('id', UUID),
    orgId: column('org_id', nullable(UUID)),
    issuerUrl: column('issuer_url', TEXT),
    jwksUri: column('jwks_uri', nullable(TEXT)),
    expectedAudience: column('expected_audience', TEXT),
    appliesTo: column('applies_to', oneOf<TrustedIssuer['appliesTo']>()),
    claimMapping: column('claim_mapping', json<ClaimMapping>()),
    maxCredentialTtlSeconds: column('max_ttl_seconds', INTEGER),
    enabled: column('enabled', BOOLEAN),
    subjectAllowlist: column('subject_allowlist', json<readonly string[]>()),
    requireProof: column('require_proof', oneOf<TrustedIssuer['requireProof']>()),
    requireCoSignature: column(
      'require_co_signature',
      oneOf<TrustedIssuer['requireCoSignature']>(),
    ),
    managedBy: column('managed_by', nullable(oneOf<NonNullable<TrustedIssuer['managedBy']>>())),
    createdAt: column('created_at', INSTANT),
    updatedAt: column('updated_at', INSTANT),
    version: column('row_version', INTEGER),
  },
  versionedById,
);

/** Two versions: as issued, and revoked. A revoked row lets nobody in, so it needs no comparison. */
export const EPHEMERAL_CERTS = sealedTable(
  'ephemeral_certs',
  {
    id: column('id', UUID),
    issuerId: column('issuer_id', UUID),
    orgId: column('org_id', UUID),
    agentId: column('agent_id', UUID),
    oidcIss: column('oidc_iss', TEXT),
    oidcSub: column('oidc_sub', TEXT),
    publicKey: column('public_key', BYTES),
    scopes: column('scopes', json<readonly Scope[]>()),
    issuedAt: column('issued_at', INSTANT),
    expiresAt: column('expires_at', INSTANT),
    revokedAt: column('revoked_at', nullable(INSTANT)),
  },
  {
    revision: ({ id, revoked_at: revokedAt }) =>
      revokedAt === null ? { id: uuidFromSql(id as Uint8Array), version: 1 } : null,
  },
);

/** Who holds the key of a certificate. */
export const CERT_KEYS = sealedTable(
  'cert_keys',
  {
    publicKey: written('public_key', BYTES),
    oidcIss: column('oidc_iss', TEXT),
    oidcSub: column('oidc_sub', TEXT),
    agentId: column('agent_id', UUID),
  },
  { key: 'public_key' },
);

/** Tokens that were exchanged, by their hash, for as long as somebody would take them. */
export const SPENT_TOKENS = table('spent_tokens', {
  token: column('token', BYTES),
  expiresAt: column('expires_at', INSTANT),
});
