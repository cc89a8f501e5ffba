import type { Knex } from 'knex';
import { addIndex } from '../create-table.ts';

/** For listings by a publisher with few records among millions. */
export const up = (knex: Knex): Promise<void> =>
  addIndex(knex, 'records', ['publisher', 'created_at', 'id']);
