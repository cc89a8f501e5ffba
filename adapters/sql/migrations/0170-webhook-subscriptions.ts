import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'webhook_subscriptions',
    columns: {
      id: 'uuid',
      org_id: 'uuid',
      owner_type: 'key',
      owner_id: 'uuid',
      'platform_agent_id?': 'uuid',
      url: 'text',
      event_types: 'text',
      record_types: 'text',
      format: 'key',
      scheme: 'key',
      'secret?': 'bytes',
      'previous_secret?': 'bytes',
      'previous_secret_until?': 'time',
      'managed_by?': 'key',
      'record_id?': 'uuid',
      'push?': 'text',
      gaps: 'long-text',
      is_inactive: 'flag',
      is_paused: 'flag',
      'deleted_at?': 'time',
      created_at: 'time',
      row_version: 'integer',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    indexes: [
      { columns: ['org_id', 'created_at', 'id'] },
      { columns: ['owner_id', 'created_at', 'id'] },
      { columns: ['platform_agent_id', 'created_at', 'id'] },
      { columns: ['created_at', 'id'] },
      { columns: ['is_inactive', 'is_paused'] },
      { columns: ['record_id', 'owner_id'], where: 'record_id IS NOT NULL' },
    ],
    references: [{ column: 'org_id', table: 'orgs' }],
  });
