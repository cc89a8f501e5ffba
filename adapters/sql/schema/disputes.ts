import type { TableDefinition } from './create-table.ts';

export const DISPUTE_TABLES: readonly TableDefinition[] = [
  /** Each dispute repeats the parties of its record, so that a listing reads one table. */
  {
    name: 'disputes',
    columns: {
      id: 'uuid',
      record_id: 'uuid',
      org_id: 'uuid',
      'performer_org_id?': 'uuid',
      principal_agent_id: 'uuid',
      'performer_agent_id?': 'uuid',
      phase: 'key',
      tier: 'integer',
      initiated_by: 'text',
      initiator_role: 'key',
      side: 'key',
      'grounds?': 'text',
      'statement?': 'text',
      evidence_deadline: 'time',
      'phase_deadline?': 'time',
      'outcome?': 'key',
      'resolution?': 'text',
      'resolved_by?': 'text',
      opened_at: 'time',
      'resolved_at?': 'time',
    },
    primaryKey: ['id'],
    indexes: [
      { columns: ['record_id', 'opened_at', 'id'] },
      { columns: ['opened_at', 'id'] },
      { columns: ['org_id', 'opened_at', 'id'] },
      { columns: ['performer_org_id', 'opened_at', 'id'] },
      { columns: ['principal_agent_id', 'opened_at', 'id'] },
      { columns: ['performer_agent_id', 'opened_at', 'id'] },
    ],
    references: [{ column: 'record_id', table: 'records' }],
  },
  /** In the order in which it was submitted. */
  {
    name: 'dispute_evidence',
    columns: {
      dispute_id: 'uuid',
      ordinal: 'integer',
      id: 'uuid',
      submitted_by: 'text',
      side: 'key',
      content: 'long-text',
      content_hash: 'hash',
      submitted_at: 'time',
    },
    primaryKey: ['dispute_id', 'ordinal'],
    references: [{ column: 'dispute_id', table: 'disputes' }],
  },
];
