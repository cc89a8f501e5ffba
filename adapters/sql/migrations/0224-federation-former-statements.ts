import type { Knex } from 'knex';
import { addColumn } from '../create-table.ts';

/** What a message was signed with before it was signed anew; null on nearly all. */
export const up = (knex: Knex): Promise<void> =>
  addColumn(knex, 'federation_outgoing', 'former?', 'long-text');
