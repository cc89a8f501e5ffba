import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'chain_heads',
    columns: { chain_key: 'key', position: 'integer', hash: 'hash', at: 'time' },
    primaryKey: ['chain_key'],
    clustered: true,
  });
