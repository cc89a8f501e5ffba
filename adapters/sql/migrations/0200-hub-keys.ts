import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** The keys by which this hub signs its requests to peers. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'hub_keys',
    columns: {
      id: 'uuid',
      thumbprint: 'hash',
      public_key: 'bytes',
      'private_key?': 'bytes',
      created_at: 'time',
      'retired_at?': 'time',
      row_version: 'integer',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    unique: [['thumbprint']],
  });
