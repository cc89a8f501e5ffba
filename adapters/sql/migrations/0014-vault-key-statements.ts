import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** Copies of platform entries, so their position there is the key. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'vault_key_statements',
    columns: {
      chain_position: 'integer',
      key_id: 'key',
      statement: 'key',
      cose_sign1: 'long-bytes',
      created_at: 'time',
    },
    primaryKey: ['chain_position'],
  });
