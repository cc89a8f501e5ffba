import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'vault_signing_keys',
    columns: {
      key_id: 'key',
      algorithm: 'key',
      public_key: 'bytes',
      status: 'key',
      activated_at: 'time',
      'retired_at?': 'time',
    },
    primaryKey: ['key_id'],
  });
