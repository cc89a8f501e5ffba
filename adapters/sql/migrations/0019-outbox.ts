import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/**
 * `sequence` is null until an event is numbered, after its commit. The unique key takes any number of nulls, and
 * finds them: SQLite through the small index beside it, MySQL through the key itself, which ends in the id.
 */
export const up = async (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'outbox',
    columns: {
      id: 'uuid',
      'sequence?': 'integer',
      type: 'key',
      'org_id?': 'uuid',
      'counterparty_org_id?': 'uuid',
      'record_id?': 'uuid',
      'record_type?': 'short',
      'agent_id?': 'uuid',
      data: 'long-text',
      created_at: 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    unique: [['sequence']],
  });
