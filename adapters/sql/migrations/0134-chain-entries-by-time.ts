import type { Knex } from 'knex';
import { addIndex } from '../create-table.ts';

/** Finds the entries that are not in the log of their org yet. New ones come at its end. */
export const up = (knex: Knex): Promise<void> => addIndex(knex, 'chain_entries', ['at']);
