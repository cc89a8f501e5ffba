import type { Knex } from 'knex';
import { isMysql } from '../create-table.ts';

/**
 * Hashes of leaves are random: an index of all of them writes a page for each new one, nearly as much as the record that it is a
 * leaf of. They are kept in order in blocks of 4,096 leaves of a log instead, so new ones stand together; who looks for a
 * hash looks into each block. That an entry has one leaf is said by the index of its place, and that a statement has one by an
 * index of the few leaves that are none of an entry.
 */
export const up = async (knex: Knex): Promise<void> => {
  if (isMysql(knex)) return;
  for (const statement of [
    'CREATE INDEX IF NOT EXISTS scitt_leaves_by_block ON scitt_leaves (log_key, leaf_index / 4096, hash)',
    'CREATE UNIQUE INDEX IF NOT EXISTS scitt_leaves_of_statements_unique ON scitt_leaves (log_key, hash) WHERE chain_key IS NULL',
    'DROP INDEX IF EXISTS scitt_leaves_log_key_hash_unique',
  ])
    await knex.raw(statement);
};
