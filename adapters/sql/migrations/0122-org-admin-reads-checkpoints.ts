import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** A new key signs the size of its predecessor's last checkpoint once more. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'org_admin_reads_checkpoints',
    columns: {
      id: 'uuid',
      org_id: 'uuid',
      tree_size: 'integer',
      root_hash: 'hash',
      signing_key_id: 'key',
      cose_sign1: 'bytes',
      created_at: 'time',
    },
    primaryKey: ['id'],
    unique: [['org_id', 'tree_size', 'signing_key_id']],
    indexes: [{ columns: ['org_id', 'created_at', 'id'] }, { columns: ['created_at', 'id'] }],
  });
