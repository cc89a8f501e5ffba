import { setImmediate } from 'node:timers/promises';
import type { ChainKey } from '../../../domain/vault/chain-key.ts';
import type { ChainEntry, ChainHead } from '../../../domain/vault/chain.ts';
import type { ChainScan, CoveredHead } from '../../../domain/vault/chain-store.port.ts';
import { CHAIN_ENTRIES, CHAIN_HEADS } from '../rows/chain-row.ts';
import { findAll } from '../rows/find.ts';
import type { Reader } from '../session.ts';
import { timeFromSql } from '../values.ts';

interface Covered {
  readonly covered_position: number | null;
  readonly covered_hash: Uint8Array | null;
  readonly covered_at: number | null;
}

/** Looks at all chains, as its reader sees them. */
export class SqlChainScan implements ChainScan {
  constructor(private readonly reader: Reader) {}

  async headsAfter(chainKey: ChainKey, limit: number): Promise<readonly CoveredHead[]> {
    // Who looks at all chains asks for page after page; on SQLite nothing else would run in between.
    await setImmediate();
    const rows = await this.reader.all<Parameters<typeof CHAIN_HEADS.fromRow>[0] & Covered>(
      HEADS_AFTER,
      [chainKey, limit],
    );
    return rows.map((row) => ({
      ...CHAIN_HEADS.fromRow(row),
      covered:
        row.covered_position === null || row.covered_hash === null || row.covered_at === null
          ? null
          : {
              position: Number(row.covered_position),
              hash: new Uint8Array(row.covered_hash),
              at: timeFromSql(row.covered_at),
            },
    }));
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

const columns = (alias: string): string =>
  CHAIN_HEADS.columns.map((column) => `${alias}.${column}`).join(', ');

// The newest checkpoint of a chain is found by an index that holds nothing but chain and log index. A chain at position 0
// has no entry yet.
const HEADS_AFTER = `
  SELECT ${columns('h')}, c.position AS covered_position, c.head_hash AS covered_hash, c.created_at AS covered_at
  FROM (SELECT ${CHAIN_HEADS.columnList} FROM chain_heads WHERE chain_key > ? AND position > 0 ORDER BY chain_key LIMIT ?) h
  LEFT JOIN vault_checkpoints c
    ON c.log_index = (SELECT MAX(log_index) FROM vault_checkpoints WHERE chain_key = h.chain_key)
  ORDER BY h.chain_key`;
