import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'completions',
    columns: {
      id: 'uuid',
      record_id: 'uuid',
      revision: 'integer',
      evidence: 'long-text',
      evidence_hash: 'hash',
      submitted_by: 'text',
      submitted_at: 'time',
      gate_state: 'short',
      'gate_evaluated_at?': 'time',
      gate_results: 'long-text',
      'verdict?': 'short',
      'verdict_reason?': 'text',
      'verdict_by?': 'text',
      'verdict_at?': 'time',
      entry_position: 'integer',
    },
    primaryKey: ['id'],
    unique: [['record_id', 'revision']],
    references: [{ column: 'record_id', table: 'records' }],
  });
