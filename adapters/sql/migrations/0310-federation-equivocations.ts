import type { Knex } from 'knex';
import { addColumn } from '../create-table.ts';

/** The second statement that a peer signed under a sequence; null on nearly all. */
export const up = (knex: Knex): Promise<void> =>
  addColumn(knex, 'federation_incoming', 'equivocation?', 'long-text');
