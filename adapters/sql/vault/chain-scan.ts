import { setImmediate } from 'node:timers/promises';
import type { ChainKey } from '../../../domain/vault/chain-key.ts';
import type { ChainEntry, ChainHead } from '../../../domain/vault/chain.ts';
import type { ChainEnds, ChainScan, HeadsExtent } from '../../../domain/vault/chain-store.port.ts';
import type { Checkpoint } from '../../../domain/vault/checkpoint.ts';
import type { Dialect } from '../base/dialect.ts';
import { CHAIN_ENTRIES, CHAIN_HEADS } from './chain-row.ts';
import { findAll } from '../tables/find.ts';
import { VAULT_CHECKPOINTS } from './vault-row.ts';
import { placeholders } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import { timeFromSql } from '../base/values.ts';

interface Row {
  readonly chain_key: string;
  readonly newest: number;
  readonly position: number | null;
  readonly hash: Uint8Array | null;
  readonly at: number | null;
  readonly covered_index: number | null;
  readonly covered_position: number | null;
  readonly covered_hash: Uint8Array | null;
  readonly covered_at: number | null;
}

/** Looks at all chains, as its reader sees them. */
export class SqlChainScan implements ChainScan {
  readonly #chainsAfter: string;

  constructor(
    private readonly reader: Reader,
    dialect: Pick<Dialect, 'distinctAfter'>,
  ) {
    this.#chainsAfter = chainsAfter(dialect);
  }

  async chainsAfter(chainKey: ChainKey, limit: number): Promise<readonly ChainEnds[]> {
    // Who looks at all chains asks for page after page; on SQLite nothing else would run in between.
    await setImmediate();
    const values = [chainKey, limit, chainKey, limit, limit];
    return (await this.reader.all<Row>(this.#chainsAfter, values)).map(endsOf);
  }

  async headsExtent(after: ChainKey, upTo: ChainKey): Promise<HeadsExtent> {
    const [row] = await this.reader.all<{ readonly heads: number; readonly positions: number }>(
      `SELECT COUNT(*) AS heads, COALESCE(SUM(position), 0) AS positions FROM chain_heads
        WHERE chain_key > ? AND chain_key <= ? AND position > 0`,
      [after, upTo],
    );
    return { heads: Number(row?.heads), positions: Number(row?.positions) };
  }

  async checkpointsAt(logIndexes: readonly number[]): Promise<readonly Checkpoint[]> {
    if (logIndexes.length === 0) return [];
    const sql = `${VAULT_CHECKPOINTS.select} WHERE log_index IN (${placeholders(logIndexes.length)})`;
    return findAll(this.reader, VAULT_CHECKPOINTS, sql, logIndexes);
  }

  async entriesAt(
    heads: readonly Pick<ChainHead, 'chainKey' | 'position'>[],
  ): Promise<ReadonlyMap<ChainKey, ChainEntry>> {
    if (heads.length === 0) return new Map();
    const places = heads.map(() => '(chain_key = ? AND position = ?)').join(' OR ');
    const sql = `${CHAIN_ENTRIES.select} WHERE ${places}`;
    const entries = await findAll(
      this.reader,
      CHAIN_ENTRIES,
      sql,
      heads.flatMap(({ chainKey, position }) => [chainKey, position]),
    );
    return new Map(entries.map((entry) => [entry.chainKey, entry]));
  }
}

const endsOf = (row: Row): ChainEnds => {
  const { chain_key: chainKey, position, hash, at } = row;
  return {
    chainKey,
    newest: Number(row.newest),
    head:
      position === null || hash === null || at === null
        ? null
        : CHAIN_HEADS.fromRow({ chain_key: chainKey, position, hash, at }),
    covered:
      row.covered_index === null ||
      row.covered_position === null ||
      row.covered_hash === null ||
      row.covered_at === null
        ? null
        : {
            logIndex: Number(row.covered_index),
            position: Number(row.covered_position),
            hash: new Uint8Array(row.covered_hash),
            at: timeFromSql(row.covered_at),
          },
  };
};

// What is there is asked of the entries: the row of a head may be gone, or say less. Each chain costs a few seeks in
// indexes that hold nothing else. A head at position 0 has no entry yet.
const chainsAfter = (dialect: Pick<Dialect, 'distinctAfter'>): string => `
  SELECT k.chain_key, COALESCE((SELECT MAX(position) FROM chain_entries WHERE chain_key = k.chain_key), 0) AS newest,
    h.position, h.hash, h.at,
    c.log_index AS covered_index, c.position AS covered_position, c.head_hash AS covered_hash, c.created_at AS covered_at
  FROM (
    SELECT chain_key FROM (${dialect.distinctAfter('chain_entries', 'chain_key')}) e
    UNION
    SELECT chain_key FROM (SELECT chain_key FROM chain_heads WHERE chain_key > ? AND position > 0 ORDER BY chain_key LIMIT ?) p
    ORDER BY chain_key LIMIT ?
  ) k
  LEFT JOIN chain_heads h ON h.chain_key = k.chain_key
  LEFT JOIN vault_checkpoints c
    ON c.log_index = (SELECT MAX(log_index) FROM vault_checkpoints WHERE chain_key = k.chain_key)
  ORDER BY k.chain_key`;
