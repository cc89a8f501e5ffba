import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/**
 * How long each submission for others took, in order of the time: a median is read at its place, where the times of a
 * hundred thousand submissions would have to be computed and sorted otherwise.
 */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
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
  });
