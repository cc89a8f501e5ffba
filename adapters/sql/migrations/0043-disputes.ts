import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** The parties stand on each dispute as on its record, so that a listing reads one table. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
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
  });
