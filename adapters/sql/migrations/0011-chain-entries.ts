import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** Two unique keys: no position is taken twice and no entry has two successors, so a fork cannot be stored. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'chain_entries',
    columns: {
      chain_key: 'key',
      position: 'integer',
      entry_type: 'key',
      'record_id?': 'uuid',
      'org_id?': 'uuid',
      signing_key_id: 'key',
      previous_hash: 'hash',
      hash: 'hash',
      cose_sign1: 'long-bytes',
      at: 'time',
      'oidc_iss?': 'text',
      'oidc_sub?': 'text',
    },
    primaryKey: ['chain_key', 'position'],
    unique: [['chain_key', 'previous_hash']],
  });
