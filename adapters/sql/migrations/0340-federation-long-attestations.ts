import type { Knex } from 'knex';
import { widenColumn } from '../create-table.ts';

/** What a peer attests may have 65,536 bytes and is signed around them; a BLOB of MySQL has 65,535. */
export const up = (knex: Knex): Promise<void> =>
  widenColumn(knex, 'federation_outgoing', 'attestation?', 'long-bytes');
