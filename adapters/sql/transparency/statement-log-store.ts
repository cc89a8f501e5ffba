import { toHex } from '../../../domain/kernel/digest.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { ChainKey } from '../../../domain/vault/chain-key.ts';
import type {
  LogLeaf,
  RegisteredStatement,
  StatementLogReads,
  StatementLogStore,
  RecordInSight,
  UnloggedChain,
} from '../../../domain/transparency/statement-log.port.ts';
import type { LogKey } from '../../../domain/transparency/tree-store.port.ts';
import { findAll, findOne } from '../tables/find.ts';
import { LOG_LEAVES, SCITT_LEAVES, SCITT_STATEMENTS } from './statement-log-row.ts';
import type { Dialect } from '../base/dialect.ts';
import { firstOf, placeholders } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { hexFromSql, timeFromSql, timeToSql, uuidFromSql, uuidToSql } from '../base/values.ts';

export class SqlStatementLogReads implements StatementLogReads {
  constructor(
    private readonly reader: Reader,
    private readonly database: Dialect['name'],
  ) {}

  leaf(log: LogKey, hash: Uint8Array): Promise<LogLeaf | null> {
    return findOne(this.reader, LOG_LEAVES, LEAF_BY_HASH[this.database], [log, hash]);
  }

  leaves(log: LogKey, fromIndex: number, limit: number): Promise<readonly LogLeaf[]> {
    const sql = `${SCITT_LEAVES.select} WHERE log_key = ? AND leaf_index >= ? ORDER BY leaf_index LIMIT ?`;
    return findAll(this.reader, LOG_LEAVES, sql, [log, fromIndex, limit]);
  }

  async next(after: LogKey): Promise<{ readonly log: LogKey; readonly size: number } | null> {
    const rows = await this.reader.all<{ log_key: string; leaf_index: number }>(NEXT_LOG, [after]);
    const newest = firstOf(rows);
    return newest && { log: newest.log_key, size: Number(newest.leaf_index) + 1 };
  }

  statement(orgId: Uuid, hash: Uint8Array): Promise<RegisteredStatement | null> {
    const sql = `${SCITT_STATEMENTS.select} WHERE org_id = ? AND hash = ?`;
    return findOne(this.reader, SCITT_STATEMENTS, sql, [uuidToSql(orgId), hash]);
  }

  statementBy(orgId: Uuid, identity: Uint8Array): Promise<RegisteredStatement | null> {
    const sql = `${SCITT_STATEMENTS.select} WHERE org_id = ? AND identity = ?`;
    return findOne(this.reader, SCITT_STATEMENTS, sql, [uuidToSql(orgId), identity]);
  }

  leavesOfChain(
    log: LogKey,
    chainKey: ChainKey,
    from: number,
    to: number,
  ): Promise<readonly LogLeaf[]> {
    const sql = `${SCITT_LEAVES.select} WHERE chain_key = ? AND position BETWEEN ? AND ? AND log_key = ? ORDER BY position`;
    return findAll(this.reader, LOG_LEAVES, sql, [chainKey, from, to, log]);
  }

  /**
   * MySQL finds each by its hash. On SQLite an entry is found by its place, for a hash would be looked for in each block; a
   * leaf of other bytes at that place, or in another log, is not its leaf.
   */
  async logged(
    log: LogKey,
    leaves: readonly Omit<LogLeaf, 'index'>[],
  ): Promise<readonly boolean[]> {
    if (leaves.length === 0) return [];
    const asked = padded(leaves);
    const rows = await (this.database === 'mysql'
      ? this.reader.all<HashRow>(
          `SELECT hash FROM scitt_leaves WHERE log_key = ? AND hash IN (${placeholders(asked.length)})`,
          [log, ...asked.map(({ hash }) => hash)],
        )
      : this.reader.all<HashRow>(
          `SELECT hash FROM ${BY_PLACE} WHERE log_key = ? AND (chain_key, position) IN (VALUES ${asked.map(() => '(?, ?)').join(', ')})`,
          [
            log,
            ...asked.flatMap(({ entry }) => [entry?.chainKey ?? null, entry?.position ?? null]),
          ],
        ));
    const found = new Set(rows.map(({ hash }) => hexFromSql(hash)));
    return leaves.map(({ hash }) => found.has(toHex(hash)));
  }

  async changedRecords(after: RecordInSight, limit: number): Promise<readonly RecordInSight[]> {
    const time = timeToSql(after.changedAt);
    const id = after.chainKey === '' ? BEFORE_ANY : uuidToSql(after.chainKey);
    const rows = await this.reader.all<{ readonly id: Uint8Array; readonly updated_at: number }>(
      CHANGED_RECORDS,
      [time, time, id, limit],
    );
    return rows.map((row) => ({
      chainKey: uuidFromSql(row.id),
      changedAt: timeFromSql(row.updated_at),
    }));
  }

  async schemaChains(since: string): Promise<readonly ChainKey[]> {
    const rows = await this.reader.all<{ readonly chain_key: string }>(SCHEMA_CHAINS, [
      timeToSql(since),
    ]);
    return rows.map((row) => row.chain_key);
  }

  async unlogged(chainKeys: readonly ChainKey[]): Promise<readonly UnloggedChain[]> {
    if (chainKeys.length === 0) return [];
    const asked = padded(chainKeys);
    const rows = await this.reader.all<UnloggedRow>(
      `${UNLOGGED} WHERE h.chain_key IN (${placeholders(asked.length)})`,
      asked,
    );
    return rows
      .map(({ chain_key: chainKey, position, hash, taken }) => ({
        chainKey,
        from: Number(taken ?? 0) + 1,
        to: Number(position),
        hash,
      }))
      .filter(({ from, to }) => from <= to);
  }
}

export class SqlStatementLogStore extends SqlStatementLogReads implements StatementLogStore {
  constructor(private readonly unit: UnitContext) {
    super(unit, unit.dialect.name);
  }

  async add(log: LogKey, leaves: readonly LogLeaf[]): Promise<void> {
    for (const leaf of leaves) this.unit.insert(SCITT_LEAVES, LOG_LEAVES.toRow(log, leaf));
  }

  async register(statement: RegisteredStatement): Promise<void> {
    this.unit.insert(SCITT_STATEMENTS, SCITT_STATEMENTS.toRow(statement));
  }
}

interface HashRow {
  readonly hash: Uint8Array;
}

interface UnloggedRow {
  readonly chain_key: string;
  readonly position: number;
  readonly hash: Uint8Array;
  readonly taken: number | null;
}

const BEFORE_ANY = new Uint8Array(0);

/** Repeats the last of them up to a power of two, so that lists of every length share a few prepared statements. */
const padded = <T>(values: readonly T[]): readonly T[] => {
  const size = 2 ** Math.ceil(Math.log2(values.length));
  return [...values, ...Array<T>(size - values.length).fill(values.at(-1)!)];
};

const NEXT_LOG = `
  SELECT log_key, leaf_index FROM scitt_leaves
  WHERE log_key = (SELECT MIN(log_key) FROM scitt_leaves WHERE log_key > ?)
  ORDER BY leaf_index DESC LIMIT 1`;

// In both databases the first condition is what makes a range of the index.
const CHANGED_RECORDS = `
  SELECT id, updated_at FROM records
  WHERE updated_at >= ? AND (updated_at > ? OR id > ?) ORDER BY updated_at, id LIMIT ?`;

const SCHEMA_CHAINS = `
  SELECT chain_key FROM chain_heads
  WHERE chain_key > 'schema:' AND chain_key < 'schema;' AND position > 0 AND at >= ?`;

const UNLOGGED = `
  SELECT h.chain_key, h.position, h.hash,
    (SELECT MAX(l.position) FROM scitt_leaves l WHERE l.chain_key = h.chain_key) AS taken
  FROM chain_heads h`;

/** SQLite would rather read the whole log. */
const BY_PLACE = 'scitt_leaves INDEXED BY scitt_leaves_chain_key_position_unique';

/** On SQLite the blocks of scitt_leaves_by_block (0360) that hold leaves are looked through, the newest one first. */
const LEAF_BY_HASH: Readonly<Record<Dialect['name'], string>> = {
  mysql: `${SCITT_LEAVES.select} WHERE log_key = ? AND hash = ?`,
  sqlite: `
  ${SCITT_LEAVES.select} WHERE log_key = ?1 AND leaf_index = (
    WITH RECURSIVE blocks(n) AS (
      SELECT MAX(leaf_index) / 4096 FROM scitt_leaves
      WHERE log_key = ?1 AND leaf_index BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER}
      UNION ALL
      SELECT (SELECT MAX(b.leaf_index) / 4096 FROM scitt_leaves b
        WHERE b.log_key = ?1 AND b.leaf_index >= 0 AND b.leaf_index < blocks.n * 4096)
      FROM blocks WHERE n > 0)
    SELECT l.leaf_index FROM blocks CROSS JOIN scitt_leaves l INDEXED BY scitt_leaves_by_block
    WHERE l.log_key = ?1 AND l.leaf_index / 4096 = blocks.n AND l.hash = ?2 AND l.leaf_index >= 0 LIMIT 1)`,
};
