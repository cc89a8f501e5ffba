import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** Found by the hash of kind and URI, because a URI is too long for an index. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'record_references',
    columns: {
      record_id: 'uuid',
      entry_position: 'integer',
      id: 'uuid',
      kind: 'key',
      uri: 'text',
      target_hash: 'hash',
      'digest_alg?': 'key',
      'digest_value?': 'text',
      'label?': 'short',
      added_by: 'text',
      added_at: 'time',
    },
    primaryKey: ['record_id', 'entry_position'],
    unique: [['record_id', 'target_hash']],
    references: [{ column: 'record_id', table: 'records' }],
  });
