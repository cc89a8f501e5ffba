import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'idempotency',
    columns: {
      scope: 'hash',
      body_hash: 'hash',
      answer: 'long-text',
      is_provisional: 'flag',
      created_at: 'time',
    },
    primaryKey: ['scope'],
    indexes: [{ columns: ['created_at'] }],
  });
