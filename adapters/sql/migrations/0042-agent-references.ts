import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** As record_references; `entry_position` is one of the platform chain. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'agent_references',
    columns: {
      agent_id: 'uuid',
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
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['agent_id', 'entry_position'],
    unique: [['agent_id', 'target_hash']],
    references: [{ column: 'agent_id', table: 'agents' }],
  });
