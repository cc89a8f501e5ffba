import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** Tokens that were exchanged, each once; kept until nobody would take them any more. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'spent_tokens',
    columns: { token: 'hash', expires_at: 'time' },
    primaryKey: ['token'],
    indexes: [{ columns: ['expires_at'] }],
    clustered: true,
  });
