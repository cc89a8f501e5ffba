import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'org_admin_reads',
    columns: {
      org_id: 'uuid',
      leaf_index: 'integer',
      signing_key_id: 'key',
      leaf_hash: 'hash',
      cose_sign1: 'bytes',
      created_at: 'time',
    },
    primaryKey: ['org_id', 'leaf_index'],
  });
