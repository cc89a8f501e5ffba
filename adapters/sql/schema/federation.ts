import type { TableDefinition } from './create-table.ts';

export const FEDERATION_TABLES: readonly TableDefinition[] = [
  {
    name: 'federation_mirrors',
    columns: {
      record_id: 'uuid',
      peer_hub_id: 'uuid',
      home_record_id: 'uuid',
      manifest: 'long-text',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['record_id'],
    unique: [['peer_hub_id', 'home_record_id']],
    indexes: [{ columns: ['peer_hub_id', 'record_id'] }],
    references: [{ column: 'record_id', table: 'records' }],
  },
  /**
   * `in_lane` has one value while the message waits for its answer, and then NULL. `former` is what the message was
   * signed with before it was signed again. An attestation of a peer has up to 65,536 bytes and its signature, and a
   * BLOB of MySQL has 65,535.
   */
  {
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
      'attestation?': 'long-bytes',
      'answered_at?': 'time',
      'in_lane?': 'key',
      row_key: 'row-key',
      row_mac: 'hash',
      'former?': 'long-text',
    },
    primaryKey: ['message_id'],
    unique: [['record_id', 'sequence']],
    indexes: [
      { columns: ['in_lane', 'record_id', 'sequence'], where: 'in_lane IS NOT NULL' },
      // The oldest messages that wait for one peer.
      { columns: ['in_lane', 'peer_hub_id', 'queued_at'], where: 'in_lane IS NOT NULL' },
      // Messages without an answer, to find those that are in no queue.
      { columns: ['outcome', 'record_id', 'in_lane'], where: 'outcome IS NULL' },
      // All messages of a peer, for the end of its registration.
      { columns: ['peer_hub_id', 'record_id'] },
    ],
    references: [{ column: 'record_id', table: 'records' }],
  },
  /**
   * A peer chooses the message id, so the statement identifies the row: it is of one record and one sequence.
   * `equivocation` is a second statement that the peer signed under the same sequence.
   */
  {
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
      'equivocation?': 'long-text',
    },
    primaryKey: ['record_id', 'sequence'],
    unique: [['statement_hash']],
    references: [{ column: 'record_id', table: 'records' }],
  },
  /** The state of the delivery queue of a record. A queue without a row has never failed. */
  {
    name: 'federation_lanes',
    columns: {
      record_id: 'uuid',
      peer_hub_id: 'uuid',
      attempts: 'integer',
      'failing_since?': 'time',
      due_at: 'time',
      'stopped_reason?': 'key',
      'stopped_at?': 'time',
      'last_status?': 'integer',
      'last_error?': 'text',
      'lease_token?': 'uuid',
      lease_until: 'integer',
    },
    primaryKey: ['record_id'],
    indexes: [
      { columns: ['peer_hub_id', 'lease_until'] },
      { columns: ['stopped_at', 'record_id'] },
    ],
  },
];
