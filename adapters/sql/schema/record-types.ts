import type { TableDefinition } from './create-table.ts';

export const RECORD_TYPE_TABLES: readonly TableDefinition[] = [
  /** One row per publisher label, to be locked. The platform chain says which org owns the label. */
  {
    name: 'publishers',
    columns: { label: 'short' },
    primaryKey: ['label'],
    clustered: true,
  },
  /**
   * The index by publisher serves registration, import and reads of public schemas: each asks which org holds a
   * version on the whole hub.
   */
  {
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
      { columns: ['publisher', 'type', 'version'] },
    ],
  },
];
