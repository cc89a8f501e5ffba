import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'webhook_deliveries',
    columns: {
      id: 'uuid',
      subscription_id: 'uuid',
      event_id: 'uuid',
      event_type: 'key',
      number: 'integer',
      event_sequence: 'integer',
      attempt: 'integer',
      created_at: 'time',
      status: 'key',
      'reason?': 'key',
      'response_status?': 'integer',
      'response_body?': 'text',
      'signature?': 'text',
      'body_hash?': 'hash',
      'next_retry_at?': 'time',
      'delivered_at?': 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    indexes: [
      { columns: ['subscription_id', 'status', 'number'] },
      { columns: ['subscription_id', 'next_retry_at'] },
      { columns: ['subscription_id', 'created_at', 'id'] },
      { columns: ['created_at'] },
    ],
    references: [{ column: 'subscription_id', table: 'webhook_subscriptions' }],
  });
