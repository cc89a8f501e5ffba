import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** The files of exports, in pieces of at most 1 MiB, by the attempt that wrote them. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'compliance_export_pieces',
    columns: { export_id: 'uuid', claim: 'uuid', ordinal: 'integer', content: 'long-bytes' },
    primaryKey: ['export_id', 'claim', 'ordinal'],
  });
