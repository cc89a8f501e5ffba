import { stratify, tree } from 'd3-hierarchy';

export interface Placed<Node> {
  readonly node: Node;
  readonly x: number;
  readonly y: number;
}

export interface TreeLayout<Node> {
  readonly nodes: readonly Placed<Node>[];
  readonly lines: readonly { readonly from: Placed<Node>; readonly to: Placed<Node> }[];
  readonly width: number;
  readonly height: number;
}

interface TreeNode {
  readonly id: string;
  readonly parentRecordId: string | null;
}

const [GAP_X, GAP_Y, MARGIN] = [18, 42, 12];
/** Holds together what has no parent in the answer: a key may see parts of a tree alone. */
const NOWHERE = 'nowhere';

/** Where each record of a tree stands, from its root down. No answer makes it fail: what leads to no root is left beside. */
export const treeLayout = <Node extends TreeNode>(
  nodes: readonly Node[],
  [width, height]: readonly [number, number],
): TreeLayout<Node> => {
  const known = rooted(nodes);
  const root = stratify<Node | null>()
    .id((node) => node?.id ?? NOWHERE)
    .parentId((node) => {
      if (node === null) return null;
      const parent = node.parentRecordId;
      return parent !== null && known.has(parent) ? parent : NOWHERE;
    })([null, ...known.values()]);
  const laid = tree<Node | null>().nodeSize([width + GAP_X, height + GAP_Y])(root);
  const all = laid.descendants().filter(({ data }) => data !== null);
  const xs = all.length === 0 ? [0] : all.map(({ x }) => x);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const top = height + GAP_Y;
  const placed = new Map(
    all.map(({ data, x, y }) => [
      data!.id,
      { node: data!, x: Math.round(x - left + MARGIN), y: Math.round(y - top + MARGIN) },
    ]),
  );
  return {
    nodes: [...placed.values()],
    lines: laid.links().flatMap(({ source, target }) => {
      const from = source.data && placed.get(source.data.id);
      const to = target.data && placed.get(target.data.id);
      return from && to ? [{ from, to }] : [];
    }),
    width: Math.ceil(right - left + width + 2 * MARGIN),
    height: Math.ceil(Math.max(...all.map(({ y }) => y), top) - top + height + 2 * MARGIN),
  };
};

/** By id, each once, without those that are their own ancestors. */
const rooted = <Node extends TreeNode>(nodes: readonly Node[]): ReadonlyMap<string, Node> => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const isRooted = (node: Node): boolean => {
    const seen = new Set<string>();
    for (let at: Node | undefined = node; at;) {
      if (seen.has(at.id)) return false;
      seen.add(at.id);
      at = at.parentRecordId === null ? undefined : byId.get(at.parentRecordId);
    }
    return true;
  };
  return new Map([...byId].filter(([, node]) => isRooted(node)));
};
