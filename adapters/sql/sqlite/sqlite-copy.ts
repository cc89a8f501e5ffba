import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { unpacked } from '../base/packed-bytes.ts';

/** What a copy of the database holds. */
export interface CopySummary {
  readonly chains: number;
  readonly entries: number;
  /** When the newest entry was sealed, ISO 8601; null: there is none. */
  readonly newestEntryAt: string | null;
  /** Chains whose head is not their last entry, or that lack one in between; a hundred at most. */
  readonly misplaced: readonly string[];
}

/**
 * Looks through a database file that nobody else has open.
 *
 * @throws Error where the file is damaged, or holds no notary.
 */
export const checkCopy = (file: string): CopySummary => {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    assertIntact(database);
    assertNotary(database);
    const { chains, entries, at } = database.prepare(SUMMARY).get() as Counted;
    return {
      chains,
      entries,
      newestEntryAt: at === null ? null : new Date(at).toISOString(),
      misplaced: misplacedChains(database),
    };
  } finally {
    database.close();
  }
};

/** The migrations that the copy has run. */
export const migrationsOf = (file: string): readonly string[] => {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database.prepare('SELECT name FROM schema_migrations').all();
    return (rows as { readonly name: string }[]).map(({ name }) => name);
  } finally {
    database.close();
  }
};

/** What was written to a file or a directory is on the disk after it. */
export const syncPath = (path: string): void => {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

type Open = InstanceType<typeof DatabaseSync>;

interface Counted {
  readonly chains: number;
  readonly entries: number;
  readonly at: number | null;
}

const SUMMARY =
  'SELECT count(DISTINCT chain_key) AS chains, count(*) AS entries, max(at) AS at FROM chain_entries';

const assertIntact = (database: Open): void => {
  const found = database.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[];
  if (found.length !== 1 || found[0]?.integrity_check !== 'ok')
    throw new Error(`the file is damaged: ${found[0]?.integrity_check}`);
};

const assertNotary = (database: Open): void => {
  const tables = database
    .prepare(
      "SELECT count(*) AS n FROM sqlite_master WHERE type = 'table' AND name IN ('instance', 'schema_migrations', 'chain_entries', 'chain_heads')",
    )
    .get() as { readonly n: number };
  if (tables.n !== 4) throw new Error('the file is no database of a notary');
};

const MOST = 100;

/** A head at position 0 was locked for a first entry that never came. */
const MISPLACED = `
  SELECT e.chain_key AS chain FROM
    (SELECT chain_key, count(*) AS n, max(position) AS last FROM chain_entries GROUP BY chain_key) AS e
    LEFT JOIN chain_heads AS h ON h.chain_key = e.chain_key
    WHERE e.n <> e.last OR h.position IS NOT e.last
  UNION
  SELECT h.chain_key FROM chain_heads AS h
    WHERE h.position > 0 AND NOT EXISTS (SELECT 1 FROM chain_entries AS e WHERE e.chain_key = h.chain_key)
  LIMIT ${MOST}`;

const HEADS = `
  SELECT h.chain_key AS chain, h.hash AS head, e.hash AS hash, e.cose_sign1 AS bytes
    FROM chain_heads AS h JOIN chain_entries AS e ON e.chain_key = h.chain_key AND e.position = h.position`;

const misplacedChains = (database: Open): readonly string[] => {
  const found = new Set(
    (database.prepare(MISPLACED).all() as { readonly chain: string }[]).map(({ chain }) => chain),
  );
  for (const row of database.prepare(HEADS).iterate() as Iterable<HeadRow>) {
    const digest = createHash('sha256').update(unpacked(row.bytes)).digest();
    if (digest.equals(row.hash) && digest.equals(row.head)) continue;
    found.add(row.chain);
    if (found.size >= MOST) break;
  }
  return [...found];
};

interface HeadRow {
  readonly chain: string;
  readonly head: Uint8Array;
  readonly hash: Uint8Array;
  readonly bytes: Uint8Array;
}
