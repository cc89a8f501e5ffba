import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'vault_checkpoints',
    columns: {
      log_index: 'integer',
      id: 'uuid',
      chain_key: 'key',
      chain_kind: 'key',
      position: 'integer',
      head_hash: 'hash',
      signing_key_id: 'key',
      created_at: 'time',
      cose_sign1: 'long-bytes',
    },
    primaryKey: ['log_index'],
    unique: [['id']],
    indexes: [{ columns: ['chain_key', 'log_index'] }],
  });
