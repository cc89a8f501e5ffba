import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** A lane without a row is one that never failed. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'federation_lanes',
    columns: {
      record_id: 'uuid',
      peer_hub_id: 'uuid',
      attempts: 'integer',
      'failing_since?': 'time',
      due_at: 'time',
      'stopped_reason?': 'key',
      'stopped_at?': 'time',
      'last_status?': 'integer',
      'last_error?': 'text',
      'lease_token?': 'uuid',
      lease_until: 'integer',
    },
    primaryKey: ['record_id'],
    indexes: [
      { columns: ['peer_hub_id', 'lease_until'] },
      { columns: ['stopped_at', 'record_id'] },
    ],
  });
