import { nodeHash, type NodeId } from '../../../domain/transparency/rfc9162-tree.ts';
import { isStatementLog } from '../../../domain/transparency/statement-log.port.ts';
import type { LogKey } from '../../../domain/transparency/tree-store.port.ts';
import type { Reader } from '../tables/reader.ts';

/**
 * Seven of eight nodes are of these levels, 0, 1 and 2. In the logs of orgs they are not stored: they are made of the few
 * leaves below them, which have rows of their own. Builds before stored them; nobody reads those any more.
 */
const LOW_LEVELS = 3;

export const isLow = (log: LogKey, { level }: NodeId): boolean =>
  level < LOW_LEVELS && isStatementLog(log);

/** The hashes of such nodes by their names; none of those without all of their leaves. */
export const lowNodes = async (
  reader: Reader,
  log: LogKey,
  nodes: readonly NodeId[],
): Promise<readonly (readonly [string, Uint8Array])[]> => {
  if (nodes.length === 0) return [];
  const leaves = await leavesIn(reader, log, stretchesOf(nodes));
  return nodes.flatMap((node) => {
    const hash = hashOf(leaves, node);
    return hash ? [[nodeName(node), hash] as const] : [];
  });
};

export const nodeName = ({ level, index }: NodeId): string => `${level}/${index}`;

const LEAVES =
  'SELECT leaf_index, hash FROM scitt_leaves WHERE log_key = ? AND leaf_index BETWEEN ? AND ?';

type Leaves = ReadonlyMap<number, Uint8Array>;

/** From one leaf to another, both included. */
interface Stretch {
  readonly first: number;
  readonly last: number;
}

/** The leaves below the nodes; what follows or overlaps is read at once. */
const stretchesOf = (nodes: readonly NodeId[]): readonly Stretch[] => {
  const merged: Stretch[] = [];
  const own = nodes.map(({ level, index }) => ({
    first: index * 2 ** level,
    last: (index + 1) * 2 ** level - 1,
  }));
  for (const next of own.toSorted((a, b) => a.first - b.first)) {
    const before = merged.at(-1);
    if (before && next.first <= before.last + 1)
      merged[merged.length - 1] = {
        first: before.first,
        last: Math.max(before.last, next.last),
      };
    else merged.push(next);
  }
  return merged;
};

const leavesIn = async (
  reader: Reader,
  log: LogKey,
  stretches: readonly Stretch[],
): Promise<Leaves> => {
  // A part for each: with OR between them SQLite reads all leaves of the log, by the index of their hashes.
  const rows = await reader.all<{ readonly leaf_index: number; readonly hash: Uint8Array }>(
    stretches.map(() => LEAVES).join(' UNION ALL '),
    stretches.flatMap(({ first, last }) => [log, first, last]),
  );
  return new Map(rows.map((row) => [Number(row.leaf_index), row.hash]));
};

const hashOf = (leaves: Leaves, { level, index }: NodeId): Uint8Array | null => {
  if (level === 0) return leaves.get(index) ?? null;
  const left = hashOf(leaves, { level: level - 1, index: 2 * index });
  const right = hashOf(leaves, { level: level - 1, index: 2 * index + 1 });
  return left && right && nodeHash(left, right);
};
