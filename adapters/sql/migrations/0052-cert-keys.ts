import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** Whom a public key of a certificate belongs to. Never deleted: a key does not change hands. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
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
  });
