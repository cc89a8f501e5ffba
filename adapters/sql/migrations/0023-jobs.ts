import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** Who runs a background job, until when, and how its last run went. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'jobs',
    columns: {
      name: 'key',
      'holder?': 'key',
      lease_until: 'time',
      'last_started_at?': 'time',
      'last_duration_ms?': 'integer',
      'last_failure?': 'text',
    },
    primaryKey: ['name'],
    clustered: true,
  });
