import type { Knex } from 'knex';
import { addIndex } from '../create-table.ts';

/** What no answer came of, by its record: it is looked through for messages that are in no lane. */
export const up = (knex: Knex): Promise<void> =>
  addIndex(knex, 'federation_outgoing', ['outcome', 'record_id', 'in_lane'], 'outcome IS NULL');
