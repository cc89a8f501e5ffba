import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'api_keys',
    columns: {
      id: 'uuid',
      key_hash: 'hash',
      role: 'short',
      owner_id: 'uuid',
      'org_id?': 'uuid',
      'label?': 'text',
      environment: 'short',
      scopes: 'text',
      'scope_profile?': 'short',
      'allowed_ips?': 'text',
      is_active: 'flag',
      'expires_at?': 'time',
      created_at: 'time',
      'last_used_at?': 'time',
      'created_by_key_id?': 'uuid',
      'rotated_from_key_id?': 'uuid',
      'deactivates_at?': 'time',
      'revoked_at?': 'time',
      'revoked_by_key_id?': 'uuid',
      'revocation_reason?': 'text',
      'managed_by?': 'short',
      row_version: 'integer',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    unique: [['key_hash']],
    indexes: [
      { columns: ['owner_id', 'created_at', 'id'] },
      { columns: ['org_id', 'created_at', 'id'] },
      { columns: ['role', 'created_at', 'id'] },
      { columns: ['created_at', 'id'] },
    ],
  });
