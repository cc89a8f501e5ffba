import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
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
  });
