import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** Exports of the records of an org. `made` and `failure` are NULL until it is known what came of it. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'compliance_exports',
    columns: {
      id: 'uuid',
      org_id: 'uuid',
      'in_flight?': 'key',
      format: 'key',
      filters: 'text',
      asked_by: 'text',
      created_at: 'time',
      expires_at: 'time',
      attempts: 'integer',
      'claim?': 'uuid',
      'made?': 'long-text',
      'failure?': 'text',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    indexes: [
      { columns: ['org_id', 'created_at'] },
      { columns: ['created_at'] },
      { columns: ['in_flight', 'created_at'], where: 'in_flight IS NOT NULL' },
      { columns: ['expires_at'] },
    ],
  });
