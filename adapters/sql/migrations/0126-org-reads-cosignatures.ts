import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** Beside their checkpoints, which no one may change. One each. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'org_reads_cosignatures',
    columns: {
      checkpoint_id: 'uuid',
      witness_key_id: 'uuid',
      signature: 'bytes',
      created_at: 'time',
    },
    primaryKey: ['checkpoint_id'],
    references: [{ column: 'checkpoint_id', table: 'org_admin_reads_checkpoints' }],
  });
