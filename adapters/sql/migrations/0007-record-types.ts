import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'record_types',
    columns: {
      id: 'uuid',
      org_id: 'uuid',
      publisher: 'short',
      type: 'short',
      version: 'integer',
      manifest: 'long-text',
      manifest_digest: 'hash',
      status: 'short',
      'registered_by?': 'uuid',
      registered_at: 'time',
      entry_position: 'integer',
    },
    primaryKey: ['id'],
    unique: [['org_id', 'type', 'publisher', 'version']],
    indexes: [
      { columns: ['org_id', 'registered_at', 'id'] },
      { columns: ['type', 'registered_at', 'id'] },
      { columns: ['registered_at', 'id'] },
    ],
  });
