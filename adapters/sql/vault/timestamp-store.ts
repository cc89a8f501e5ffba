import type { Checkpoint } from '../../../domain/vault/checkpoint.ts';
import type { ChainKey } from '../../../domain/vault/chain-key.ts';
import type { TimestampReads, TimestampStore } from '../../../domain/vault/timestamp-store.port.ts';
import { findAll, findOne } from '../tables/find.ts';
import { CHECKPOINT_TIMESTAMPS, VAULT_CHECKPOINTS } from './vault-row.ts';
import type { Reader } from '../tables/reader.ts';
import type { UnitContext } from '../tables/unit-context.ts';

export class SqlTimestampStore implements TimestampStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(logIndex: number, token: Uint8Array): Promise<void> {
    this.unit.insert(CHECKPOINT_TIMESTAMPS, CHECKPOINT_TIMESTAMPS.toRow({ logIndex, token }));
  }
}

export class SqlTimestampReads implements TimestampReads {
  constructor(private readonly reader: Reader) {}

  async of(logIndex: number): Promise<Uint8Array | null> {
    const found = await findOne(this.reader, CHECKPOINT_TIMESTAMPS, TOKEN, [logIndex]);
    return found?.token ?? null;
  }

  /** By log index, of the leaves from one to another, both included. */
  async between(first: number, last: number): Promise<ReadonlyMap<number, Uint8Array>> {
    const found = await findAll(this.reader, CHECKPOINT_TIMESTAMPS, TOKENS, [first, last]);
    return new Map(found.map(({ logIndex, token }) => [logIndex, token]));
  }

  async missing(chainKey: ChainKey, limit: number): Promise<readonly Checkpoint[]> {
    const newest = await findAll(this.reader, VAULT_CHECKPOINTS, NEWEST, [chainKey, limit]);
    const first = newest.at(-1);
    if (!first) return [];
    const rows = await this.reader.all<{ readonly log_index: number }>(STAMPED, [
      first.logIndex,
      newest[0]!.logIndex,
    ]);
    const stamped = new Set(rows.map((row) => Number(row.log_index)));
    const end = newest.findIndex(({ logIndex }) => stamped.has(logIndex));
    return end === -1 ? newest : newest.slice(0, end);
  }
}

const TOKEN = `${CHECKPOINT_TIMESTAMPS.select} WHERE log_index = ?`;
const TOKENS = `${CHECKPOINT_TIMESTAMPS.select} WHERE log_index BETWEEN ? AND ?`;
const NEWEST = `${VAULT_CHECKPOINTS.select} WHERE chain_key = ? ORDER BY log_index DESC LIMIT ?`;
const STAMPED = 'SELECT log_index FROM checkpoint_timestamps WHERE log_index BETWEEN ? AND ?';
