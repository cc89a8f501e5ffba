import type { NodeId, TreeNode } from '../../../domain/transparency/rfc9162-tree.ts';
import type { LogKey, TreeReads, TreeStore } from '../../../domain/transparency/tree-store.port.ts';
import type { Reader } from '../tables/reader.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { isLow, lowNodes, nodeName } from './low-nodes.ts';

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
    const low = nodes.filter((node) => isLow(log, node));
    const stored = nodes.filter((node) => !isLow(log, node));
    const found = new Map([
      ...(await this.#stored(log, stored)),
      ...(await lowNodes(this.reader, log, low)),
    ]);
    return nodes.map((node) => {
      const hash = found.get(nodeName(node));
      return hash ? new Uint8Array(hash) : null;
    });
  }

  async #stored(
    log: LogKey,
    nodes: readonly NodeId[],
  ): Promise<readonly (readonly [string, Uint8Array])[]> {
    if (nodes.length === 0) return [];
    // Each place has the whole key: with the log before the brackets SQLite reads all of its nodes.
    const places = nodes.map(() => '(log_key = ? AND level = ? AND node_index = ?)').join(' OR ');
    const rows = await this.reader.all<NodeRow>(
      `SELECT level, node_index, hash FROM log_nodes WHERE ${places}`,
      nodes.flatMap(({ level, index }) => [log, level, index]),
    );
    return rows.map(({ level, node_index: index, hash }) => [
      nodeName({ level: Number(level), index: Number(index) }),
      hash,
    ]);
  }
}

export class SqlTreeStore extends SqlTreeReads implements TreeStore {
  constructor(private readonly unit: UnitContext) {
    super(unit);
  }

  async add(log: LogKey, nodes: readonly TreeNode[]): Promise<void> {
    const stored = nodes.filter((node) => !isLow(log, node));
    for (let from = 0; from < stored.length; from += ROWS) {
      const some = stored.slice(from, from + ROWS);
      await this.unit.run(
        `${this.unit.dialect.insertIgnore} INTO log_nodes (log_key, level, node_index, hash) VALUES ${some.map(() => '(?, ?, ?, ?)').join(', ')}`,
        some.flatMap(({ level, index, hash }) => [log, level, index, hash]),
      );
    }
  }
}
