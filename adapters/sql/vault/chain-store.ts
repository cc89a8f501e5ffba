import type { ChainKey } from '../../../domain/vault/chain-key.ts';
import { GENESIS_HASH, type ChainEntry, type ChainHead } from '../../../domain/vault/chain.ts';
import type { ChainStore, ChainEnds, HeadsExtent } from '../../../domain/vault/chain-store.port.ts';
import type { Checkpoint } from '../../../domain/vault/checkpoint.ts';
import { CHAIN_ENTRIES, CHAIN_HEADS } from './chain-row.ts';
import { findAll, findOne } from '../tables/find.ts';
import type { RowChange } from '../base/session.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { SqlChainScan } from './chain-scan.ts';

export class SqlChainStore implements ChainStore {
  readonly #scan: SqlChainScan;

  constructor(private readonly unit: UnitContext) {
    this.#scan = new SqlChainScan(unit, unit.dialect);
  }

  async begin(entry: ChainEntry): Promise<void> {
    if (entry.position !== 1) throw new RangeError('a chain begins at position 1');
    this.unit.insert(CHAIN_ENTRIES, CHAIN_ENTRIES.toRow(entry));
    this.unit.insert(CHAIN_HEADS, CHAIN_HEADS.toRow(entry));
  }

  /**
   * A chain without a row first gets one at position 0, because only an existing row can be locked.
   * Otherwise two first appends would both find nothing, and one of them would fail on the unique
   * key.
   */
  async lockHead(chainKey: ChainKey): Promise<ChainHead | null> {
    const locked = this.unit.takeHead(chainKey) ?? (await this.#lock(chainKey));
    if (locked) return unlessEmpty(locked);
    await this.unit.run(
      `${this.unit.dialect.insertIgnore} INTO chain_heads (chain_key, position, hash, at) VALUES (?, 0, ?, 0)`,
      [chainKey, GENESIS_HASH],
    );
    const made = await this.#lock(chainKey);
    if (!made) throw new Error(`the head of chain ${chainKey} cannot be locked`);
    return unlessEmpty(made);
  }

  /**
   * @throws Error where the head is not directly before the first entry: the caller did not hold
   *   the lock.
   */
  async append(...entries: readonly [ChainEntry, ...ChainEntry[]]): Promise<void> {
    for (const entry of entries) this.unit.insert(CHAIN_ENTRIES, CHAIN_ENTRIES.toRow(entry));
    const before = entries[0].position - 1;
    const head = entries.at(-1) ?? entries[0];
    await this.unit.change({
      of: MOVE_HEAD,
      values: MOVED.toRow(head),
      where: [head.chainKey, before],
      otherwise: `chain ${head.chainKey} is not at position ${before}`,
    });
    const { chainKey, position, hash, at } = head;
    this.unit.movedHead({ chainKey, position, hash, at });
  }

  headEntry(chainKey: ChainKey): Promise<ChainEntry | null> {
    return findOne(this.unit, CHAIN_ENTRIES, NEWEST_ENTRY, [chainKey]);
  }

  downFrom(chainKey: ChainKey, position: number, limit: number): Promise<readonly ChainEntry[]> {
    // Positions have no gaps, so a range of positions replaces LIMIT.
    const sql = `${CHAIN_ENTRIES.select} WHERE chain_key = ? AND position <= ? AND position > ? ORDER BY position DESC`;
    return findAll(this.unit, CHAIN_ENTRIES, sql, [chainKey, position, position - limit]);
  }

  upFrom(chainKey: ChainKey, position: number, limit: number): Promise<readonly ChainEntry[]> {
    return findAll(this.unit, CHAIN_ENTRIES, ENTRIES_FROM, [chainKey, position, limit]);
  }

  entryAt(chainKey: ChainKey, position: number): Promise<ChainEntry | null> {
    const sql = `${CHAIN_ENTRIES.select} WHERE chain_key = ? AND position = ?`;
    return findOne(this.unit, CHAIN_ENTRIES, sql, [chainKey, position]);
  }

  chainsAfter(chainKey: ChainKey, limit: number): Promise<readonly ChainEnds[]> {
    return this.#scan.chainsAfter(chainKey, limit);
  }

  headsExtent(after: ChainKey, upTo: ChainKey): Promise<HeadsExtent> {
    return this.#scan.headsExtent(after, upTo);
  }

  checkpointsAt(logIndexes: readonly number[]): Promise<readonly Checkpoint[]> {
    return this.#scan.checkpointsAt(logIndexes);
  }

  entriesAt(
    heads: readonly Pick<ChainHead, 'chainKey' | 'position'>[],
  ): Promise<ReadonlyMap<ChainKey, ChainEntry>> {
    return this.#scan.entriesAt(heads);
  }

  #lock(chainKey: ChainKey): Promise<ChainHead | null> {
    const sql = HEAD_OF_CHAIN + this.unit.dialect.forUpdate;
    return findOne(this.unit, CHAIN_HEADS, sql, [chainKey]);
  }
}

/** Null at position 0: the chain was locked for its first entry and has none yet. */
export const unlessEmpty = (head: ChainHead | null): ChainHead | null =>
  head?.position === 0 ? null : head;

export const HEAD_OF_CHAIN = `${CHAIN_HEADS.select} WHERE chain_key = ?`;
export const ENTRIES_FROM = `${CHAIN_ENTRIES.select} WHERE chain_key = ? AND position >= ? ORDER BY position LIMIT ?`;
export const newestEntry = (columns: string): string =>
  `SELECT ${columns} FROM ${CHAIN_ENTRIES.name} WHERE chain_key = ? ORDER BY position DESC LIMIT 1`;

const NEWEST_ENTRY = newestEntry(CHAIN_ENTRIES.columnList);

const MOVED = CHAIN_HEADS.only('position', 'hash', 'at');
const MOVE_HEAD: RowChange = {
  table: CHAIN_HEADS.name,
  columns: MOVED.columns,
  where: ['chain_key', 'position'],
};
