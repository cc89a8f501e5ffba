import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** The leaves of the logs of orgs, in order. One is a chain entry, or a statement of a customer where it names no chain. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'scitt_leaves',
    columns: {
      log_key: 'key',
      leaf_index: 'integer',
      hash: 'hash',
      'chain_key?': 'key',
      'position?': 'integer',
    },
    primaryKey: ['log_key', 'leaf_index'],
    unique: [
      ['log_key', 'hash'],
      ['chain_key', 'position'],
    ],
    clustered: true,
  });
