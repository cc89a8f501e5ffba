import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'sealed_keys',
    columns: {
      key_id: 'key',
      algorithm: 'key',
      public_key: 'bytes',
      encrypted_private_key: 'bytes',
      created_at: 'time',
    },
    primaryKey: ['key_id'],
  });
