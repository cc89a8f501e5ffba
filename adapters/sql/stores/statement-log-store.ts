import type { Uuid } from '../../../domain/kernel/ids.ts';
import { PLATFORM_CHAIN } from '../../../domain/vault/chain-key.ts';
import type {
  LogLeaf,
  RegisteredStatement,
  StatementLogReads,
  StatementLogStore,
  UnloggedEntry,
} from '../../../domain/transparency/statement-log.port.ts';
import type { LogKey } from '../../../domain/transparency/tree-store.port.ts';
import { findAll, findOne } from '../rows/find.ts';
import { LOG_LEAVES, SCITT_LEAVES, SCITT_STATEMENTS } from '../rows/statement-log-row.ts';
import { firstOf, type Reader } from '../session.ts';
import type { UnitContext } from '../unit.ts';
import { timeFromSql, timeToSql, uuidFromSql, uuidToSql } from '../values.ts';

export class SqlStatementLogReads implements StatementLogReads {
  constructor(private readonly reader: Reader) {}

  leaf(log: LogKey, hash: Uint8Array): Promise<LogLeaf | null> {
    const sql = `${SCITT_LEAVES.select} WHERE log_key = ? AND hash = ?`;
    return findOne(this.reader, LOG_LEAVES, sql, [log, hash]);
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

  async unlogged(since: string, limit: number): Promise<readonly UnloggedEntry[]> {
    const rows = await this.reader.all<UnloggedRow>(UNLOGGED, [
      timeToSql(since),
      PLATFORM_CHAIN,
      limit,
    ]);
    return rows.map(({ chain_key: chainKey, position, org_id: orgId, at }) => ({
      chainKey,
      position: Number(position),
      orgId: uuidFromSql(orgId),
      at: timeFromSql(at),
    }));
  }
}

export class SqlStatementLogStore extends SqlStatementLogReads implements StatementLogStore {
  constructor(private readonly unit: UnitContext) {
    super(unit);
  }

  async add(log: LogKey, leaves: readonly LogLeaf[]): Promise<void> {
    for (const leaf of leaves) this.unit.insert(SCITT_LEAVES, LOG_LEAVES.toRow(log, leaf));
  }

  async register(statement: RegisteredStatement): Promise<void> {
    this.unit.insert(SCITT_STATEMENTS, SCITT_STATEMENTS.toRow(statement));
  }
}

interface UnloggedRow {
  readonly chain_key: string;
  readonly position: number;
  readonly org_id: Uint8Array;
  readonly at: number;
}

const NEXT_LOG = `
  SELECT log_key, leaf_index FROM scitt_leaves
  WHERE log_key = (SELECT MIN(log_key) FROM scitt_leaves WHERE log_key > ?)
  ORDER BY leaf_index DESC LIMIT 1`;

const UNLOGGED = `
  SELECT e.chain_key, e.position, e.org_id, e.at FROM chain_entries e
  LEFT JOIN scitt_leaves l ON l.chain_key = e.chain_key AND l.position = e.position
  WHERE e.at >= ? AND e.org_id IS NOT NULL AND e.chain_key <> ? AND l.log_key IS NULL
  ORDER BY e.at, e.chain_key, e.position LIMIT ?`;
