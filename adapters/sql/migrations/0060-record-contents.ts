import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/**
 * Criteria that are too large for the row of their record, by their hash. They are written once; so whoever moves the
 * record neither reads nor writes them.
 */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'record_contents',
    columns: { record_id: 'uuid', hash: 'hash', content: 'long-text' },
    primaryKey: ['record_id', 'hash'],
    references: [{ column: 'record_id', table: 'records' }],
  });
