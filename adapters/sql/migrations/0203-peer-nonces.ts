import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** Nonces of requests of peers, by their hash; kept until no request that bears one is good any more. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'peer_nonces',
    columns: { id: 'hash', expires_at: 'time' },
    primaryKey: ['id'],
    indexes: [{ columns: ['expires_at'] }],
    clustered: true,
  });
