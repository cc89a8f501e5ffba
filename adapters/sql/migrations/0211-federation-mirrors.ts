import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'federation_mirrors',
    columns: {
      record_id: 'uuid',
      peer_hub_id: 'uuid',
      home_record_id: 'uuid',
      manifest: 'long-text',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['record_id'],
    unique: [['peer_hub_id', 'home_record_id']],
    indexes: [{ columns: ['peer_hub_id', 'record_id'] }],
    references: [{ column: 'record_id', table: 'records' }],
  });
