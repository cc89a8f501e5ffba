import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** Complete subtrees of the Merkle trees of logs, found by their place alone. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'log_nodes',
    columns: { log_key: 'key', level: 'integer', node_index: 'integer', hash: 'hash' },
    primaryKey: ['log_key', 'level', 'node_index'],
    clustered: true,
  });
