import type { Knex } from 'knex';
import { addIndex, dropUnique, isMysql } from '../create-table.ts';

/**
 * That an entry has one leaf is said by the index of its place, so hashes need not be unique, and whoever edits the place of a
 * leaf keeps no other one out. Hashes are random: on SQLite an index of all of them writes a page for each new one, nearly as
 * much as the record that it is a leaf of. There they are in order in blocks of 4,096 leaves of a log, so new ones stand
 * together; who looks for a hash looks into each block.
 */
export const up = async (knex: Knex): Promise<void> => {
  if (isMysql(knex)) await addIndex(knex, 'scitt_leaves', ['log_key', 'hash']);
  else
    await knex.raw(
      'CREATE INDEX IF NOT EXISTS scitt_leaves_by_block ON scitt_leaves (log_key, leaf_index / 4096, hash)',
    );
  await dropUnique(knex, 'scitt_leaves', ['log_key', 'hash']);
};
