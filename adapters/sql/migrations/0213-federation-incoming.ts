import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** A peer chooses the message id, so the statement names the row: it is of one record and one sequence. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'federation_incoming',
    columns: {
      record_id: 'uuid',
      sequence: 'integer',
      message_id: 'uuid',
      peer_hub_id: 'uuid',
      route: 'key',
      statement: 'long-bytes',
      statement_hash: 'hash',
      payload_hash: 'hash',
      entries: 'long-text',
      outcome: 'key',
      attestation: 'bytes',
      'refusal?': 'long-text',
      received_at: 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['record_id', 'sequence'],
    unique: [['statement_hash']],
    references: [{ column: 'record_id', table: 'records' }],
  });
