import type { Knex } from 'knex';
import { addIndex } from '../create-table.ts';

/** Nearly all records name no platform, and then it is `api`: SQLite leaves them out. */
export const up = (knex: Knex): Promise<void> =>
  addIndex(knex, 'records', ['platform', 'created_at', 'id'], "platform <> 'api'");
