import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** Which checkpoints were copied out of the database, and under which name. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'anchored_checkpoints',
    columns: {
      log_index: 'integer',
      chain_key: 'key',
      position: 'integer',
      object_key: 'short',
      anchored_at: 'time',
    },
    primaryKey: ['log_index'],
    indexes: [{ columns: ['chain_key', 'log_index'] }],
    clustered: true,
  });
