import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'webhook_readers',
    columns: {
      subscription_id: 'uuid',
      'lease_token?': 'uuid',
      lease_until: 'time',
      position: 'integer',
      event_sequence: 'integer',
      circuit_state: 'key',
      consecutive_failures: 'integer',
      'opened_at?': 'time',
      is_held: 'flag',
      'failing_since?': 'time',
      'last_successful_at?': 'time',
      'due_at?': 'time',
    },
    primaryKey: ['subscription_id'],
    indexes: [{ columns: ['due_at'] }],
    references: [{ column: 'subscription_id', table: 'webhook_subscriptions' }],
  });
