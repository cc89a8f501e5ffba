import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** Scans of the vault. `in_flight` has one value or NULL, and is unique: so one of them runs at a time, on any node. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'vault_scans',
    columns: {
      id: 'uuid',
      'in_flight?': 'key',
      created_at: 'time',
      attempts: 'integer',
      'progress?': 'text',
      'completed_at?': 'time',
      'result?': 'long-text',
      'failure?': 'text',
    },
    primaryKey: ['id'],
    unique: [['in_flight']],
    indexes: [],
  });
