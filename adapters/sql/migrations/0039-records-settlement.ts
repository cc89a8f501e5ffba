import type { Knex } from 'knex';
import { addColumn, addIndex } from '../create-table.ts';

/** What a final record waits for, and the newest recommendation on it. The index is for the job that looks for deadlines that passed. */
export const up = async (knex: Knex): Promise<void> => {
  await addColumn(knex, 'records', 'cancelled_by?', 'short');
  await addColumn(knex, 'records', 'dispute_deadline?', 'time');
  await addColumn(knex, 'records', 'latest_signal_id?', 'uuid');
  await addIndex(knex, 'records', ['dispute_deadline'], 'dispute_deadline IS NOT NULL');
};
