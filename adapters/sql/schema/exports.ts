import type { TableDefinition } from './create-table.ts';

export const EXPORT_TABLES: readonly TableDefinition[] = [
  /** Exports of the records of an org. `made` and `failure` are null until the export has ended. */
  {
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
  },
  /** The files of exports, in pieces of at most 1 MiB, by the attempt that wrote them. */
  {
    name: 'compliance_export_pieces',
    columns: { export_id: 'uuid', claim: 'uuid', ordinal: 'integer', content: 'long-bytes' },
    primaryKey: ['export_id', 'claim', 'ordinal'],
  },
];
