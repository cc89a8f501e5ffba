import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'agents',
    columns: {
      id: 'uuid',
      org_id: 'uuid',
      name: 'short',
      display_name: 'text',
      capabilities: 'long-text',
      'deactivated_at?': 'time',
      'deactivation_reason?': 'text',
      absences: 'long-text',
      'managed_by?': 'short',
      created_at: 'time',
      row_version: 'integer',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    indexes: [
      { columns: ['org_id', 'created_at', 'id'] },
      { columns: ['name', 'created_at', 'id'] },
      { columns: ['created_at', 'id'] },
    ],
    references: [{ column: 'org_id', table: 'orgs' }],
  });
