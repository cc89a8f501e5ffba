import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** Hubs that were registered here. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'federation_peers',
    columns: {
      id: 'uuid',
      hub_id: 'uuid',
      base_url: 'short',
      public_key: 'bytes',
      thumbprint: 'hash',
      vault_root: 'hash',
      status: 'key',
      own_key: 'hash',
      'greeted_at?': 'time',
      created_at: 'time',
      updated_at: 'time',
      generation: 'integer',
      row_version: 'integer',
      'name?': 'short',
      'handshake_due_at?': 'time',
      handshake_attempts: 'integer',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    // No two hubs have one key, however closely they are registered after each other.
    unique: [['hub_id'], ['thumbprint']],
    indexes: [{ columns: ['handshake_due_at'] }],
  });
