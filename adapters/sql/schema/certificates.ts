import type { TableDefinition } from './create-table.ts';

export const CERTIFICATE_TABLES: readonly TableDefinition[] = [
  {
    name: 'trusted_issuers',
    columns: {
      id: 'uuid',
      'org_id?': 'uuid',
      issuer_url: 'short',
      'jwks_uri?': 'text',
      expected_audience: 'short',
      applies_to: 'key',
      claim_mapping: 'text',
      max_ttl_seconds: 'integer',
      enabled: 'flag',
      subject_allowlist: 'long-text',
      require_proof: 'key',
      require_co_signature: 'key',
      'managed_by?': 'key',
      created_at: 'time',
      updated_at: 'time',
      row_version: 'integer',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    unique: [['issuer_url', 'expected_audience']],
    indexes: [{ columns: ['org_id', 'created_at', 'id'] }, { columns: ['created_at', 'id'] }],
    references: [{ column: 'org_id', table: 'orgs' }],
  },
  /**
   * The content of a certificate is in the certificate and in its entry of the platform chain. The row exists for
   * its revocation.
   */
  {
    name: 'ephemeral_certs',
    columns: {
      id: 'uuid',
      issuer_id: 'uuid',
      org_id: 'uuid',
      agent_id: 'uuid',
      oidc_iss: 'short',
      oidc_sub: 'short',
      public_key: 'hash',
      scopes: 'text',
      issued_at: 'time',
      expires_at: 'time',
      'revoked_at?': 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    indexes: [{ columns: ['issuer_id', 'expires_at', 'id'] }],
    references: [
      { column: 'issuer_id', table: 'trusted_issuers' },
      { column: 'agent_id', table: 'agents' },
    ],
  },
  /**
   * The agent that a public key of a certificate belongs to. Rows are never deleted, because a key does not change
   * its owner.
   */
  {
    name: 'cert_keys',
    columns: {
      public_key: 'hash',
      oidc_iss: 'short',
      oidc_sub: 'short',
      agent_id: 'uuid',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['public_key'],
    references: [{ column: 'agent_id', table: 'agents' }],
  },
  /** Tokens that were exchanged, so that each is exchanged once. A row is kept until its token has expired. */
  {
    name: 'spent_tokens',
    columns: { token: 'hash', expires_at: 'time' },
    primaryKey: ['token'],
    indexes: [{ columns: ['expires_at'] }],
    clustered: true,
  },
];
