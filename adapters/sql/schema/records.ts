import type { IndexDefinition, TableDefinition } from './create-table.ts';

/**
 * Everything that reputation and drift read of a record, so that they read the index alone: fifty thousand rows with their
 * criteria would be most of the cost. records_by_standing keeps the records that agents performed for others next to each
 * other by type and status, so that they are counted without their rows. MySQL has no partial indexes, and there each
 * notarized record would pay more than the reads gain.
 */
const PERFORMANCE: readonly IndexDefinition[] = [
  {
    name: 'records_by_standing',
    columns: ['performer_agent_id', 'type', 'status', 'created_at', 'dispute_count', 'expires_at'],
    where: 'activated_at IS NOT NULL AND principal_agent_id <> performer_agent_id',
    only: 'sqlite',
  },
  {
    name: 'records_by_performance',
    columns: [
      'performer_agent_id',
      'updated_at',
      'id',
      'activated_at',
      'type',
      'status',
      'gate_mode',
      'created_at',
      'terminal_at',
      'latest_completion_id',
    ],
    where: 'performer_agent_id IS NOT NULL',
    only: 'sqlite',
  },
];

export const RECORD_TABLES: readonly TableDefinition[] = [
  /**
   * Every party has two listings, by creation and by change, and each has an index, so that every page costs the
   * same.
   */
  {
    name: 'records',
    columns: {
      id: 'uuid',
      org_id: 'uuid',
      'performer_org_id?': 'uuid',
      schema_org_id: 'uuid',
      publisher: 'short',
      type: 'short',
      type_version: 'integer',
      manifest_digest: 'hash',
      platform: 'short',
      'platform_ref?': 'short',
      gate_mode: 'short',
      operating_mode: 'short',
      status: 'short',
      // Null if they are large: then they are in record_contents.
      'criteria?': 'long-text',
      criteria_hash: 'hash',
      'message?': 'text',
      principal_agent_id: 'uuid',
      'performer_agent_id?': 'uuid',
      'parent_record_id?': 'uuid',
      'root_record_id?': 'uuid',
      depth: 'integer',
      'awaiting?': 'short',
      revision_count: 'integer',
      max_revisions: 'integer',
      'latest_completion_id?': 'uuid',
      completion_pending: 'flag',
      'latest_evidence_hash?': 'hash',
      disputed: 'flag',
      'open_dispute_id?': 'uuid',
      dispute_count: 'integer',
      max_disputes: 'integer',
      dispute_window_seconds: 'integer',
      verdict_window_seconds: 'integer',
      'expires_at?': 'time',
      created_at: 'time',
      'activated_at?': 'time',
      'terminal_at?': 'time',
      updated_at: 'time',
      version: 'integer',
      // The columns from here on are null on most records.
      'counter_proposal?': 'long-text',
      'proposal_rounds?': 'integer',
      'reference_count?': 'integer',
      // These two describe the record's position in a delegation tree.
      'child_count?': 'integer',
      'cascade_rule?': 'short',
      'cancelled_by?': 'short',
      'dispute_deadline?': 'time',
      'latest_signal_id?': 'uuid',
      // The principal that the creator claimed or proved to act for.
      'on_behalf_of?': 'text',
      // The federated half of the record. It begins with its role, the peer and the record of the peer.
      'federation?': 'text',
    },
    primaryKey: ['id'],
    indexes: [
      { columns: ['org_id', 'created_at', 'id'] },
      { columns: ['org_id', 'updated_at', 'id'] },
      { columns: ['performer_org_id', 'created_at', 'id'], where: 'performer_org_id IS NOT NULL' },
      { columns: ['performer_org_id', 'updated_at', 'id'], where: 'performer_org_id IS NOT NULL' },
      { columns: ['principal_agent_id', 'created_at', 'id'] },
      { columns: ['principal_agent_id', 'updated_at', 'id'] },
      {
        columns: ['performer_agent_id', 'created_at', 'id'],
        where: 'performer_agent_id IS NOT NULL',
      },
      // records_by_performance serves the same listing on SQLite.
      { columns: ['performer_agent_id', 'updated_at', 'id'], only: 'mysql' },
      { columns: ['created_at', 'id'] },
      { columns: ['updated_at', 'id'] },
      { columns: ['status', 'created_at', 'id'] },
      { columns: ['type', 'created_at', 'id'] },
      { columns: ['disputed', 'created_at', 'id'], where: 'disputed = 1' },
      { columns: ['parent_record_id', 'created_at', 'id'], where: 'parent_record_id IS NOT NULL' },
      { columns: ['root_record_id', 'created_at', 'id'], where: 'root_record_id IS NOT NULL' },
      { columns: ['platform_ref', 'created_at', 'id'], where: 'platform_ref IS NOT NULL' },
      // For the job that finds deadlines that passed.
      {
        columns: ['terminal_at', 'expires_at'],
        where: 'terminal_at IS NULL AND expires_at IS NOT NULL',
      },
      // For the job that finishes evaluations that a crash interrupted.
      { columns: ['awaiting', 'updated_at'], where: "awaiting = 'gate'" },
      { columns: ['parent_record_id', 'terminal_at'], where: 'parent_record_id IS NOT NULL' },
      // For the job that finds dispute windows that ended.
      { columns: ['dispute_deadline'], where: 'dispute_deadline IS NOT NULL' },
      { columns: ['publisher', 'created_at', 'id'] },
      // Nearly all records name no platform, and then it is api.
      { columns: ['platform', 'created_at', 'id'], where: "platform <> 'api'" },
      // A mirror is found by its own row as well, so deleting another row does not hide it.
      { columns: ['federation'], where: 'federation IS NOT NULL', mysqlPrefix: 120 },
      ...PERFORMANCE,
    ],
  },
  /**
   * Criteria that are too large for the row of their record, by their hash. They are written once, so an action on
   * the record neither reads nor writes them.
   */
  {
    name: 'record_contents',
    columns: { record_id: 'uuid', hash: 'hash', content: 'long-text' },
    primaryKey: ['record_id', 'hash'],
    references: [{ column: 'record_id', table: 'records' }],
  },
  /** Found by the hash of kind and URI, because a URI is too long for an index. */
  {
    name: 'record_references',
    columns: {
      record_id: 'uuid',
      entry_position: 'integer',
      id: 'uuid',
      kind: 'key',
      uri: 'text',
      target_hash: 'hash',
      'digest_alg?': 'key',
      'digest_value?': 'text',
      'label?': 'short',
      added_by: 'text',
      added_at: 'time',
    },
    primaryKey: ['record_id', 'entry_position'],
    unique: [['record_id', 'target_hash']],
    references: [{ column: 'record_id', table: 'records' }],
  },
];
