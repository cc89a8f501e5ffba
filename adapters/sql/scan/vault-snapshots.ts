import type { ChainKey } from '../../../domain/vault/chain-key.ts';
import type { ChainEntry } from '../../../domain/vault/chain.ts';
import type { KeyStatement, VaultKey } from '../../../domain/vault/key-statement.ts';
import type {
  StampedCheckpoint,
  VaultSnapshot,
} from '../../../domain/vault/vault-snapshot.port.ts';
import type {
  ReadsSnapshot,
  VaultSnapshots,
} from '../../../domain/transparency/vault-snapshots.port.ts';
import type { Database } from '../base/database.ts';
import { SqlReadsSnapshot } from './reads-snapshot.ts';
import { SqlCheckpointReads, SqlVaultKeyReads } from '../vault/vault-reads.ts';
import type { RowSeals } from '../tables/row-seals.ts';
import { CHAIN_ENTRIES } from '../vault/chain-row.ts';
import { findAll } from '../tables/find.ts';
import { placeholders } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import { SqlTimestampReads } from '../vault/timestamp-store.ts';

export class SqlVaultSnapshots implements VaultSnapshots {
  constructor(
    private readonly database: Database,
    private readonly seals: RowSeals,
  ) {}

  take<T>(work: (vault: VaultSnapshot, reads: ReadsSnapshot) => Promise<T>): Promise<T> {
    return this.database.snapshot((reader) => {
      const rows = this.seals.over(reader);
      return work(new SqlVaultSnapshot(rows), new SqlReadsSnapshot(rows));
    });
  }
}

class SqlVaultSnapshot implements VaultSnapshot {
  constructor(private readonly reader: Reader) {}

  keys(): Promise<readonly VaultKey[]> {
    return new SqlVaultKeyReads(this.reader).keys();
  }

  statements(): Promise<readonly KeyStatement[]> {
    return new SqlVaultKeyReads(this.reader).statements();
  }

  async *checkpoints(): AsyncIterable<readonly StampedCheckpoint[]> {
    const reads = new SqlCheckpointReads(this.reader);
    const timestamps = new SqlTimestampReads(this.reader);
    for (let from = 0; ;) {
      const page = await reads.from(from, PAGE);
      const last = page.at(-1);
      if (!last) return;
      const tokens = await timestamps.between(from, last.logIndex);
      yield page.map((row) => ({ ...row, timestampToken: tokens.get(row.logIndex) ?? null }));
      if (page.length < PAGE) return;
      from = last.logIndex + 1;
    }
  }

  async *entries(): AsyncIterable<readonly ChainEntry[]> {
    let last: Pick<ChainEntry, 'chainKey' | 'position'> = { chainKey: '', position: 0 };
    for (;;) {
      // Two ranges of the primary key: MySQL does not find the place of a pair of values in it.
      const rest = await this.page(REST_OF_CHAIN, [last.chainKey, last.position, PAGE]);
      const room = PAGE - rest.length;
      const next = room > 0 ? await this.page(NEXT_CHAINS, [last.chainKey, room]) : [];
      const page = [...rest, ...next];
      if (page.length > 0) yield page;
      if (page.length < PAGE) return;
      last = page.at(-1)!;
    }
  }

  async coveredPositions(chainKeys: readonly ChainKey[]): Promise<ReadonlyMap<ChainKey, number>> {
    if (chainKeys.length === 0) return new Map();
    const sql = `SELECT chain_key, MAX(position) AS position FROM vault_checkpoints WHERE chain_key IN (${placeholders(chainKeys.length)}) GROUP BY chain_key`;
    const rows = await this.reader.all<{ readonly chain_key: string; readonly position: number }>(
      sql,
      chainKeys,
    );
    return new Map(rows.map((row) => [row.chain_key, Number(row.position)]));
  }

  private page(sql: string, values: readonly (string | number)[]): Promise<readonly ChainEntry[]> {
    return findAll(this.reader, CHAIN_ENTRIES, sql, values);
  }
}

const PAGE = 500;
export const REST_OF_CHAIN = `${CHAIN_ENTRIES.select} WHERE chain_key = ? AND position > ? ORDER BY position LIMIT ?`;
export const NEXT_CHAINS = `${CHAIN_ENTRIES.select} WHERE chain_key > ? ORDER BY chain_key, position LIMIT ?`;
