import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** In the order in which it was submitted. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'dispute_evidence',
    columns: {
      dispute_id: 'uuid',
      ordinal: 'integer',
      id: 'uuid',
      submitted_by: 'text',
      side: 'key',
      content: 'long-text',
      content_hash: 'hash',
      submitted_at: 'time',
    },
    primaryKey: ['dispute_id', 'ordinal'],
    references: [{ column: 'dispute_id', table: 'disputes' }],
  });
