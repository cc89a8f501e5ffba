import type { Knex } from 'knex';
import { addIndex } from '../create-table.ts';

/** What a peer has to do with, for the end of its registration. */
export const up = (knex: Knex): Promise<void> =>
  addIndex(knex, 'federation_outgoing', ['peer_hub_id', 'record_id']);
