import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** What a certificate says is in the certificate and in its entry of the platform chain; the row is there for its revocation. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
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
  });
