import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** RFC 3161 tokens beside the checkpoints that they stamp: these are never written again, and a token comes later. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'checkpoint_timestamps',
    columns: { log_index: 'integer', token: 'long-bytes' },
    primaryKey: ['log_index'],
  });
