import type { ChainKey } from '../../../domain/vault/chain-key.ts';
import type { ChainEntry, ChainHead } from '../../../domain/vault/chain.ts';
import type { ChainReads } from '../../../domain/vault/chain-store.port.ts';
import {
  CHAIN_ENTRIES,
  CHAIN_HEADS,
  rowToEntry,
  rowToHead,
  type ChainEntryRow,
  type ChainHeadRow,
} from '../rows/chain-row.ts';
import { columnsOf, firstOf, type Reader } from '../session.ts';
import { NEWEST_ENTRY } from '../stores/chain-store.ts';

export class SqlChainReads implements ChainReads {
  constructor(private readonly reader: Reader) {}

  async head(chainKey: ChainKey): Promise<ChainHead | null> {
    const row = firstOf(
      await this.reader.all<ChainHeadRow>(
        `SELECT ${columnsOf(CHAIN_HEADS)} FROM chain_heads WHERE chain_key = ?`,
        [chainKey],
      ),
    );
    return row && rowToHead(row);
  }

  async heads(chainKeys: readonly ChainKey[]): Promise<ReadonlyMap<ChainKey, ChainHead>> {
    if (chainKeys.length === 0) return new Map();
    const sql = `SELECT ${columnsOf(CHAIN_HEADS)} FROM chain_heads WHERE chain_key IN (${chainKeys.map(() => '?').join(', ')})`;
    const heads = (await this.reader.all<ChainHeadRow>(sql, chainKeys))
      .map(rowToHead)
      .filter((head) => head !== null);
    return new Map(heads.map((head) => [head.chainKey, head]));
  }

  async newest(chainKey: ChainKey): Promise<ChainEntry | null> {
    const row = firstOf(await this.reader.all<ChainEntryRow>(NEWEST_ENTRY, [chainKey]));
    return row && rowToEntry(row);
  }

  async entries(
    chainKey: ChainKey,
    fromPosition: number,
    limit: number,
  ): Promise<readonly ChainEntry[]> {
    const rows = await this.reader.all<ChainEntryRow>(
      `SELECT ${columnsOf(CHAIN_ENTRIES)} FROM chain_entries WHERE chain_key = ? AND position >= ? ORDER BY position LIMIT ?`,
      [chainKey, fromPosition, limit],
    );
    return rows.map(rowToEntry);
  }
}
