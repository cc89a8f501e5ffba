import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/**
 * Every party has two walks, by creation and by change, so that each page of its listing costs the same. The
 * performer's are empty for most records, and so are those of the delegation tree: SQLite leaves such rows out.
 */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
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
      // Large ones stand in record_contents.
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
      {
        columns: ['performer_agent_id', 'updated_at', 'id'],
        where: 'performer_agent_id IS NOT NULL',
      },
      { columns: ['created_at', 'id'] },
      { columns: ['updated_at', 'id'] },
      { columns: ['status', 'created_at', 'id'] },
      { columns: ['type', 'created_at', 'id'] },
      { columns: ['disputed', 'created_at', 'id'] },
      { columns: ['parent_record_id', 'created_at', 'id'], where: 'parent_record_id IS NOT NULL' },
      { columns: ['root_record_id', 'created_at', 'id'], where: 'root_record_id IS NOT NULL' },
      { columns: ['platform_ref', 'created_at', 'id'], where: 'platform_ref IS NOT NULL' },
    ],
  });
