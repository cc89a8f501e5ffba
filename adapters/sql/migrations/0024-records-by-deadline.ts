import type { Knex } from 'knex';
import { addIndex } from '../create-table.ts';

/** For the job that looks for deadlines that passed; what is final has none. */
export const up = (knex: Knex): Promise<void> =>
  addIndex(
    knex,
    'records',
    ['terminal_at', 'expires_at'],
    'terminal_at IS NULL AND expires_at IS NOT NULL',
  );
