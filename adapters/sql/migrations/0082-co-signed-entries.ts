import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** Which request an entry was made by; only entries that seal a co-signature stand here. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'co_signed_entries',
    columns: { chain_key: 'key', position: 'integer', request_id: 'uuid' },
    primaryKey: ['chain_key', 'position'],
    references: [{ column: 'request_id', table: 'co_signed_requests' }],
    clustered: true,
  });
