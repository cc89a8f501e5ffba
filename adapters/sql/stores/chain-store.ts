import type { ChainKey } from '../../../domain/vault/chain-key.ts';
import { GENESIS_HASH, type ChainEntry, type ChainHead } from '../../../domain/vault/chain.ts';
import type { ChainStore } from '../../../domain/vault/chain-store.port.ts';
import {
  CHAIN_ENTRIES,
  CHAIN_HEADS,
  entryToRow,
  headToRow,
  rowToEntry,
  rowToHead,
  type ChainEntryRow,
  type ChainHeadRow,
} from '../rows/chain-row.ts';
import { columnsOf, firstOf } from '../session.ts';
import type { UnitContext } from '../unit.ts';
import { timeToSql } from '../values.ts';

export class SqlChainStore implements ChainStore {
  constructor(private readonly unit: UnitContext) {}

  async begin(entry: ChainEntry): Promise<void> {
    if (entry.position !== 1) throw new RangeError('a chain begins at position 1');
    this.unit.insert(CHAIN_ENTRIES, entryToRow(entry));
    this.unit.insert(CHAIN_HEADS, headToRow(entry));
  }

  /**
   * A chain without a row gets one at position 0 first, because a row that is not there cannot be locked: two
   * first appends would both find nothing, and one of them would fail on the unique key.
   */
  async lockHead(chainKey: ChainKey): Promise<ChainHead | null> {
    const locked = await this.#lock(chainKey);
    if (locked) return rowToHead(locked);
    await this.unit.run(
      `${this.unit.dialect.insertIgnore} INTO chain_heads (${columnsOf(CHAIN_HEADS)}) VALUES (?, 0, ?, 0)`,
      [chainKey, GENESIS_HASH],
    );
    const made = await this.#lock(chainKey);
    if (!made) throw new Error(`the head of chain ${chainKey} cannot be locked`);
    return rowToHead(made);
  }

  /** @throws Error where the head is not just before the first entry: the caller did not hold the lock. */
  async append(...entries: readonly [ChainEntry, ...ChainEntry[]]): Promise<void> {
    for (const entry of entries) this.unit.insert(CHAIN_ENTRIES, entryToRow(entry));
    const before = entries[0].position - 1;
    const head = entries.at(-1) ?? entries[0];
    const moved = await this.unit.run(
      'UPDATE chain_heads SET position = ?, hash = ?, at = ? WHERE chain_key = ? AND position = ?',
      [head.position, head.hash, timeToSql(head.at), head.chainKey, before],
    );
    if (moved !== 1) throw new Error(`chain ${head.chainKey} is not at position ${before}`);
  }

  async headEntry(chainKey: ChainKey): Promise<ChainEntry | null> {
    const row = firstOf(await this.unit.all<ChainEntryRow>(NEWEST_ENTRY, [chainKey]));
    return row && rowToEntry(row);
  }

  async downFrom(
    chainKey: ChainKey,
    position: number,
    limit: number,
  ): Promise<readonly ChainEntry[]> {
    // Positions have no gap, so the limit needs no LIMIT.
    const sql = `SELECT ${columnsOf(CHAIN_ENTRIES)} FROM chain_entries WHERE chain_key = ? AND position <= ? AND position > ? ORDER BY position DESC`;
    return (await this.unit.all<ChainEntryRow>(sql, [chainKey, position, position - limit])).map(
      rowToEntry,
    );
  }

  async entryAt(chainKey: ChainKey, position: number): Promise<ChainEntry | null> {
    const sql = `SELECT ${columnsOf(CHAIN_ENTRIES)} FROM chain_entries WHERE chain_key = ? AND position = ?`;
    const row = firstOf(await this.unit.all<ChainEntryRow>(sql, [chainKey, position]));
    return row && rowToEntry(row);
  }

  async #lock(chainKey: ChainKey): Promise<ChainHeadRow | null> {
    const sql = `SELECT ${columnsOf(CHAIN_HEADS)} FROM chain_heads WHERE chain_key = ?${this.unit.dialect.forUpdate}`;
    return firstOf(await this.unit.all<ChainHeadRow>(sql, [chainKey]));
  }
}

export const NEWEST_ENTRY = `SELECT ${columnsOf(CHAIN_ENTRIES)} FROM chain_entries WHERE chain_key = ? ORDER BY position DESC LIMIT 1`;
