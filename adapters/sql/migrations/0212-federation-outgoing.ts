import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** `in_lane` has one value while the message waits for its answer, and then NULL. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'federation_outgoing',
    columns: {
      message_id: 'uuid',
      record_id: 'uuid',
      peer_hub_id: 'uuid',
      sequence: 'integer',
      route: 'key',
      body: 'long-bytes',
      statement_hash: 'hash',
      position: 'integer',
      queued_at: 'time',
      'outcome?': 'key',
      'attestation?': 'bytes',
      'answered_at?': 'time',
      'in_lane?': 'key',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['message_id'],
    unique: [['record_id', 'sequence']],
    indexes: [{ columns: ['in_lane', 'record_id', 'sequence'], where: 'in_lane IS NOT NULL' }],
    references: [{ column: 'record_id', table: 'records' }],
  });
