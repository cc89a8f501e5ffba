import type { TableDefinition } from './create-table.ts';
import { COMPLETION_TIMED } from './triggers.ts';

export const COMPLETION_TABLES: readonly TableDefinition[] = [
  /**
   * `verdict_gate_results` are the results of the gates that the principal states with its verdict, in the encrypted
   * mode. The index on SQLite has everything that reputation reads, without the evidence.
   */
  {
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
      'verdict_gate_results?': 'long-text',
    },
    primaryKey: ['id'],
    unique: [['record_id', 'revision']],
    indexes: [
      {
        name: 'completions_by_performance',
        columns: [
          'record_id',
          'submitted_at',
          'gate_state',
          'gate_evaluated_at',
          'verdict',
          'verdict_at',
        ],
        only: 'sqlite',
      },
    ],
    references: [{ column: 'record_id', table: 'records' }],
    triggers: [COMPLETION_TIMED],
  },
  /**
   * How long each submission for others took, ordered by the time, so that a median is read at its position.
   * Otherwise the times of a hundred thousand submissions would be computed and sorted.
   */
  {
    name: 'completion_times',
    columns: {
      performer_agent_id: 'uuid',
      elapsed_ms: 'integer',
      completion_id: 'uuid',
      type: 'short',
    },
    primaryKey: ['performer_agent_id', 'elapsed_ms', 'completion_id'],
    indexes: [{ columns: ['performer_agent_id', 'type', 'elapsed_ms'] }],
    clustered: true,
    isAppendOnly: true,
  },
];
