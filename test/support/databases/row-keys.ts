import { rowKeysOf } from '../../../adapters/keys/row-keys.ts';
import type { Reader } from '../../../adapters/sql/tables/reader.ts';

/** What seals the rows of a test that has no secrets of its own. */
export const ROW_KEYS = rowKeysOf([new Uint8Array(32).fill(9)]);

/** A database of the test's own making, whose rows are believed. */
export const trustingReader = (all: Reader['all']): Reader => ({
  all,
  verifying: (load) => load(),
});
