import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** Bodies of co-signed requests, each once. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'co_signed_requests',
    columns: { id: 'uuid', body: 'long-bytes' },
    primaryKey: ['id'],
  });
