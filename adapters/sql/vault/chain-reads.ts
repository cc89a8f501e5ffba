import type { ChainKey } from '../../../domain/vault/chain-key.ts';
import type { ChainEntry, ChainHead } from '../../../domain/vault/chain.ts';
import type { ChainReads } from '../../../domain/vault/chain-store.port.ts';
import type { Dialect } from '../base/dialect.ts';
import { CHAIN_ENTRIES, CHAIN_HEADS } from './chain-row.ts';
import { findAll, findOne } from '../tables/find.ts';
import { placeholders } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import { SqlChainScan } from './chain-scan.ts';
import { ENTRIES_FROM, HEAD_OF_CHAIN, newestEntry, unlessEmpty } from './chain-store.ts';

export class SqlChainReads extends SqlChainScan implements ChainReads {
  readonly #newest: string;

  constructor(
    private readonly reads: Reader,
    dialect: Dialect,
  ) {
    super(reads, dialect);
    this.#newest = newestEntry(CHAIN_ENTRIES.listed(dialect));
  }

  async head(chainKey: ChainKey): Promise<ChainHead | null> {
    return unlessEmpty(await findOne(this.reads, CHAIN_HEADS, HEAD_OF_CHAIN, [chainKey]));
  }

  async heads(chainKeys: readonly ChainKey[]): Promise<ReadonlyMap<ChainKey, ChainHead>> {
    if (chainKeys.length === 0) return new Map();
    const sql = `${CHAIN_HEADS.select} WHERE chain_key IN (${placeholders(chainKeys.length)})`;
    const heads = await findAll(this.reads, CHAIN_HEADS, sql, chainKeys);
    return new Map(heads.filter(unlessEmpty).map((head) => [head.chainKey, head]));
  }

  newest(chainKey: ChainKey): Promise<ChainEntry | null> {
    return findOne(this.reads, CHAIN_ENTRIES, this.#newest, [chainKey]);
  }

  async signingKeys(chainKey: ChainKey): Promise<readonly string[]> {
    const sql = 'SELECT DISTINCT signing_key_id FROM chain_entries WHERE chain_key = ?';
    const rows = await this.reads.all<{ readonly signing_key_id: string }>(sql, [chainKey]);
    return rows.map((row) => row.signing_key_id);
  }

  entries(chainKey: ChainKey, fromPosition: number, limit: number): Promise<readonly ChainEntry[]> {
    return findAll(this.reads, CHAIN_ENTRIES, ENTRIES_FROM, [chainKey, fromPosition, limit]);
  }
}
