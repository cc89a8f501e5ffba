import type { Knex } from 'knex';
import { addIndex } from '../create-table.ts';

/** What waits for one peer, the oldest first: the messages of others are not walked over. */
export const up = (knex: Knex): Promise<void> =>
  addIndex(
    knex,
    'federation_outgoing',
    ['in_lane', 'peer_hub_id', 'queued_at'],
    'in_lane IS NOT NULL',
  );
