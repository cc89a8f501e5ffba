import type {
  ScanLogSnapshot,
  StoredCheckpoint,
  StoredLeaf,
  StoredTimestamp,
} from '../../../application/vault/scan/scan-log-snapshot.port.ts';
import type { SigningKey } from '../../../domain/identity/agent-key.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { OrgRead } from '../../../domain/transparency/org-read.ts';
import type { CosignedCheckpoint } from '../../../domain/transparency/org-reads-checkpoint.ts';
import type { NodeId } from '../../../domain/transparency/rfc9162-tree.ts';
import {
  orgOfLog,
  type RegisteredStatement,
} from '../../../domain/transparency/statement-log.port.ts';
import type { LogKey } from '../../../domain/transparency/tree-store.port.ts';
import type { ChainKey } from '../../../domain/vault/chain-key.ts';
import type { RewindFinding } from '../../../domain/vault/rewind.ts';
import { inKeyOrder } from '../tables/key-order.ts';
import { SqlAgentKeyReads } from '../identity/agent-profile-reads.ts';
import { cosigned } from '../transparency/cosigned.ts';
import { readable } from '../base/readable.ts';
import { findAll } from '../tables/find.ts';
import { ORG_ADMIN_READS, ORG_READS_CHECKPOINTS } from '../transparency/org-reads-row.ts';
import { LOG_LEAVES, SCITT_LEAVES, SCITT_STATEMENTS } from '../transparency/statement-log-row.ts';
import { CHECKPOINT_TIMESTAMPS, VAULT_CHECKPOINTS } from '../vault/vault-row.ts';
import { placeholders } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import { isLow, lowNodes, nodeName } from '../transparency/low-nodes.ts';
import { hexFromSql, uuidToSql } from '../base/values.ts';

export class SqlScanLogSnapshot implements ScanLogSnapshot {
  constructor(private readonly reader: Reader) {}

  async *checkpoints(): AsyncIterable<readonly StoredCheckpoint[]> {
    const order = { select: `${CHECKPOINT} WHERE`, columns: ['log_index'], start: [-1] };
    for await (const page of inKeyOrder<CheckpointRow>(this.reader, { ...order, limit: PAGE }))
      yield page.map((row) => LEAF.fromRow(row));
  }

  async *checkpointsOf(chainKey: ChainKey): AsyncIterable<readonly StoredCheckpoint[]> {
    for (let from = 0; ;) {
      const page = await findAll(this.reader, LEAF, CHECKPOINTS_OF, [chainKey, from, PAGE]);
      if (page.length > 0) yield page;
      if (page.length < PAGE) return;
      from = page.at(-1)!.logIndex + 1;
    }
  }

  /** Those that a scan asks for follow each other on each level, so a range of the index is read for each of them. */
  async nodes(log: LogKey, ids: readonly NodeId[]): Promise<readonly (Uint8Array | null)[]> {
    const low = ids.filter((id) => isLow(log, id));
    const found = new Map(await lowNodes(this.reader, log, low));
    const stored = ids.filter((id) => !isLow(log, id));
    for (const level of new Set(stored.map((id) => id.level))) {
      const indexes = stored.filter((id) => id.level === level).map(({ index }) => index);
      const range = [log, level, Math.min(...indexes), Math.max(...indexes)];
      for (const row of await this.reader.all<NodeRow>(NODES, range))
        found.set(nodeName({ level, index: Number(row.node_index) }), row.hash);
    }
    return ids.map((id) => {
      const hash = found.get(nodeName(id));
      return hash ? new Uint8Array(hash) : null;
    });
  }

  async *orgReads(): AsyncIterable<readonly (OrgRead | null)[]> {
    for await (const page of inKeyOrder<ReadRow>(this.reader, {
      select: `${ORG_ADMIN_READS.select} WHERE`,
      columns: ['org_id', 'leaf_index'],
      start: [FIRST_ID, -1],
      limit: PAGE,
    }))
      yield page.map((row) => readable(() => ORG_ADMIN_READS.fromRow(row)));
  }

  async *orgReadsCheckpoints(): AsyncIterable<readonly (CosignedCheckpoint | null)[]> {
    for await (const page of inKeyOrder<ReadsCheckpointRow>(this.reader, {
      select: `${ORG_READS_CHECKPOINTS.select} WHERE`,
      columns: ['org_id', 'tree_size', 'signing_key_id'],
      start: [FIRST_ID, -1, ''],
      limit: PAGE,
    })) {
      const rows = page.map((row) => readable(() => ORG_READS_CHECKPOINTS.fromRow(row)));
      const found = await cosigned(
        this.reader,
        rows.flatMap((row) => row ?? []),
      );
      const byId = new Map(found.map((row) => [row.id, row]));
      yield rows.map((row) => row && (byId.get(row.id) ?? null));
    }
  }

  async *leaves(): AsyncIterable<readonly StoredLeaf[]> {
    for await (const page of inKeyOrder<LeafRow>(this.reader, {
      select: `${SCITT_LEAVES.select} WHERE`,
      columns: ['log_key', 'leaf_index'],
      start: ['', -1],
      limit: LEAVES_PAGE,
    })) {
      const leaves = page.map((row) => ({ log: row.log_key, leaf: LOG_LEAVES.fromRow(row) }));
      const statements = await this.statementsOf(leaves);
      yield leaves.map(({ log, leaf }) => ({
        log,
        leaf,
        statement: statements.get(nameOf(log, leaf.hash)) ?? null,
      }));
    }
  }

  async *entryLeaves(): AsyncIterable<readonly StoredLeaf[]> {
    for await (const page of inKeyOrder<LeafRow>(this.reader, {
      select: `${SCITT_LEAVES.select} WHERE position IS NOT NULL AND`,
      columns: ['chain_key', 'position'],
      start: ['', -1],
      limit: PAGE,
    }))
      yield page.map((row) => ({
        log: row.log_key,
        leaf: LOG_LEAVES.fromRow(row),
        statement: null,
      }));
  }

  async signingKeys(agentId: Uuid): Promise<readonly SigningKey[]> {
    const found = await new SqlAgentKeyReads(this.reader).signingKeys([agentId]);
    return found.get(agentId) ?? [];
  }

  async *timestamps(): AsyncIterable<readonly StoredTimestamp[]> {
    for await (const page of inKeyOrder<TimestampRow>(this.reader, {
      select: `${CHECKPOINT_TIMESTAMPS.select} WHERE`,
      columns: ['log_index'],
      start: [-1],
      limit: LEAVES_PAGE,
    })) {
      const tokens = page.map((row) => CHECKPOINT_TIMESTAMPS.fromRow(row));
      const checkpoints = await findAll(
        this.reader,
        LEAF,
        `${CHECKPOINT} WHERE log_index IN (${placeholders(tokens.length)})`,
        tokens.map(({ logIndex }) => logIndex),
      );
      const byIndex = new Map(checkpoints.map((row) => [row.logIndex, row]));
      yield tokens.map((row) => ({ ...row, checkpoint: byIndex.get(row.logIndex) ?? null }));
    }
  }

  async strayAnchors(): Promise<readonly number[]> {
    const rows = await this.reader.all<{ readonly log_index: number }>(STRAY_ANCHORS, [PAGE]);
    return rows.map((row) => Number(row.log_index));
  }

  async acknowledgedRewinds(): Promise<
    readonly Pick<RewindFinding, 'chainKey' | 'checkpointHash'>[]
  > {
    const rows = await this.reader.all<{
      readonly chain_key: string;
      readonly checkpoint_hash: Uint8Array;
    }>(ACKNOWLEDGED, []);
    return rows.map((row) => ({
      chainKey: row.chain_key,
      checkpointHash: new Uint8Array(row.checkpoint_hash),
    }));
  }

  private async statementsOf(
    leaves: readonly Pick<StoredLeaf, 'log' | 'leaf'>[],
  ): Promise<ReadonlyMap<string, RegisteredStatement>> {
    const hashes = new Map<LogKey, Uint8Array[]>();
    for (const { log, leaf } of leaves)
      if (leaf.entry === null) hashes.set(log, [...(hashes.get(log) ?? []), leaf.hash]);
    const found = new Map<string, RegisteredStatement>();
    for (const [log, asked] of hashes) {
      const orgId = readable(() => uuidToSql(orgOfLog(log)));
      if (!orgId) continue;
      const sql = `${SCITT_STATEMENTS.select} WHERE org_id = ? AND hash IN (${placeholders(asked.length)})`;
      for (const row of await this.reader.all<StatementRow>(sql, [orgId, ...asked])) {
        const statement = readable(() => SCITT_STATEMENTS.fromRow(row));
        if (statement) found.set(nameOf(log, statement.hash), statement);
      }
    }
    return found;
  }
}

const LEAF = VAULT_CHECKPOINTS.only('logIndex', 'chainKey', 'position', 'coseSign1');

type CheckpointRow = Parameters<typeof LEAF.fromRow>[0];
type ReadRow = Parameters<typeof ORG_ADMIN_READS.fromRow>[0];
type ReadsCheckpointRow = Parameters<typeof ORG_READS_CHECKPOINTS.fromRow>[0];
type LeafRow = Parameters<typeof SCITT_LEAVES.fromRow>[0];
type StatementRow = Parameters<typeof SCITT_STATEMENTS.fromRow>[0];
type TimestampRow = Parameters<typeof CHECKPOINT_TIMESTAMPS.fromRow>[0];

interface NodeRow {
  readonly node_index: number;
  readonly hash: Uint8Array;
}

const PAGE = 500;
/** Statements may have 256 KiB each, tokens some. */
const LEAVES_PAGE = 100;
const FIRST_ID = new Uint8Array(0);

const CHECKPOINT = `SELECT ${LEAF.columnList} FROM vault_checkpoints`;
const CHECKPOINTS_OF = `${CHECKPOINT} WHERE chain_key = ? AND log_index >= ? ORDER BY log_index LIMIT ?`;
const NODES =
  'SELECT node_index, hash FROM log_nodes WHERE log_key = ? AND level = ? AND node_index BETWEEN ? AND ?';
const STRAY_ANCHORS = `
  SELECT a.log_index FROM anchored_checkpoints a
  LEFT JOIN vault_checkpoints c ON c.log_index = a.log_index
  WHERE c.log_index IS NULL OR c.chain_key <> a.chain_key OR c.position <> a.position
  ORDER BY a.log_index LIMIT ?`;
const ACKNOWLEDGED =
  'SELECT chain_key, checkpoint_hash FROM rewind_findings WHERE acknowledged_at IS NOT NULL';

const nameOf = (log: LogKey, hash: Uint8Array): string => `${log}/${hexFromSql(hash)}`;
