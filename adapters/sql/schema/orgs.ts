import type { TableDefinition } from './create-table.ts';

export const ORG_TABLES: readonly TableDefinition[] = [
  {
    name: 'orgs',
    columns: {
      id: 'uuid',
      slug: 'short',
      name: 'text',
      created_at: 'time',
      'managed_by?': 'short',
      require_co_signature: 'key',
      row_version: 'integer',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    unique: [['slug']],
    indexes: [{ columns: ['created_at', 'id'] }],
  },
];
