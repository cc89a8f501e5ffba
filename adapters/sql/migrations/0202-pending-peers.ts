import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** Handshakes of hubs that nobody registered here. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'pending_peers',
    columns: {
      id: 'uuid',
      hub_id: 'uuid',
      base_url: 'short',
      public_key: 'bytes',
      thumbprint: 'hash',
      vault_root: 'hash',
      address: 'key',
      created_at: 'time',
      expires_at: 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    unique: [['hub_id', 'thumbprint']],
  });
