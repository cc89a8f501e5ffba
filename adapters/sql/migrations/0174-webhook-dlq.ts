import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'webhook_dlq',
    columns: {
      id: 'uuid',
      subscription_id: 'uuid',
      org_id: 'uuid',
      event_id: 'uuid',
      event_type: 'key',
      number: 'integer',
      event_sequence: 'integer',
      reason: 'key',
      attempts: 'integer',
      'last_status?': 'integer',
      created_at: 'time',
      expires_at: 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    indexes: [
      { columns: ['subscription_id', 'created_at', 'id'] },
      { columns: ['org_id', 'created_at', 'id'] },
      { columns: ['created_at', 'id'] },
      { columns: ['expires_at'] },
    ],
    references: [{ column: 'subscription_id', table: 'webhook_subscriptions' }],
  });
