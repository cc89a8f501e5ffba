import type { NodeId, TreeNode } from '../../../domain/transparency/rfc9162-tree.ts';
import type { LogKey, TreeReads, TreeStore } from '../../../domain/transparency/tree-store.port.ts';
import type { Reader } from '../session.ts';
import type { UnitContext } from '../unit.ts';

/** Rows in one statement. */
const ROWS = 200;

interface NodeRow {
  readonly level: number;
  readonly node_index: number;
  readonly hash: Uint8Array;
}

export class SqlTreeReads implements TreeReads {
  constructor(private readonly reader: Reader) {}

  async hashes(log: LogKey, nodes: readonly NodeId[]): Promise<readonly (Uint8Array | null)[]> {
    if (nodes.length === 0) return [];
    // Each place has the whole key: with the log before the brackets SQLite reads all of its nodes.
    const places = nodes.map(() => '(log_key = ? AND level = ? AND node_index = ?)').join(' OR ');
    const rows = await this.reader.all<NodeRow>(
      `SELECT level, node_index, hash FROM log_nodes WHERE ${places}`,
      nodes.flatMap(({ level, index }) => [log, level, index]),
    );
    const found = new Map(rows.map((row) => [nameOf(row.level, row.node_index), row.hash]));
    return nodes.map(({ level, index }) => {
      const hash = found.get(nameOf(level, index));
      return hash ? new Uint8Array(hash) : null;
    });
  }
}

export class SqlTreeStore extends SqlTreeReads implements TreeStore {
  constructor(private readonly unit: UnitContext) {
    super(unit);
  }

  async add(log: LogKey, nodes: readonly TreeNode[]): Promise<void> {
    for (let from = 0; from < nodes.length; from += ROWS) {
      const some = nodes.slice(from, from + ROWS);
      await this.unit.run(
        `${this.unit.dialect.insertIgnore} INTO log_nodes (log_key, level, node_index, hash) VALUES ${some.map(() => '(?, ?, ?, ?)').join(', ')}`,
        some.flatMap(({ level, index, hash }) => [log, level, index, hash]),
      );
    }
  }
}

const nameOf = (level: number, index: number): string => `${Number(level)}/${Number(index)}`;
