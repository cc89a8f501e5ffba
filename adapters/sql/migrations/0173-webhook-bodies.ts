import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** A body holds the event, the subscription, the url and the format, so its hash stands for these. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'webhook_bodies',
    columns: { id: 'hash', body: 'long-bytes', created_at: 'time' },
    primaryKey: ['id'],
    indexes: [{ columns: ['created_at'] }],
  });
