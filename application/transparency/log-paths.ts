import {
  consistencyPath,
  foldPeaks,
  inclusionPath,
  isConsistent,
  peaksOf,
  rootFrom,
  type NodeId,
} from '../../domain/transparency/rfc9162-tree.ts';
import { bytesEqual } from '../../domain/kernel/digest.ts';
import type { LogKey, TreeReads } from '../../domain/transparency/tree-store.port.ts';
import type { TreeHead } from '../../domain/vault/checkpoint.ts';
import { orgLogBroken } from './org-log-broken.ts';

/** Proofs of the log of an org, made of its stored nodes: O(log n) of them at any size. None is given that does not verify. */
export class LogPaths {
  constructor(private readonly trees: TreeReads) {}

  /** @throws CONFLICT with reason log_broken where the nodes do not lead to this root. */
  async inclusion(
    log: LogKey,
    { index, hash }: { readonly index: number; readonly hash: Uint8Array },
    { size, root }: TreeHead,
  ): Promise<readonly Uint8Array[]> {
    if (index < 0 || index >= size)
      throw orgLogBroken(`it has ${size} leaves, and none has the index ${index}`);
    const [path] = await this.read(log, inclusionPath(index, size));
    const reached = rootFrom(hash, index, size, path);
    if (!reached || !bytesEqual(reached, root))
      throw orgLogBroken(`its nodes do not prove that the leaf ${index} stands in it`);
    return path;
  }

  /** The roots of two sizes, and the proof that the second tree begins with the first. */
  async consistency(
    log: LogKey,
    from: number,
    to: number,
  ): Promise<{
    readonly path: readonly Uint8Array[];
    readonly fromRoot: Uint8Array;
    readonly toRoot: Uint8Array;
  }> {
    const [path, older, newer] = await this.read(
      log,
      consistencyPath(from, to),
      [peaksOf(from)],
      [peaksOf(to)],
    );
    const [fromRoot, toRoot] = [older[0]!, newer[0]!];
    if (!isConsistent({ size: from, root: fromRoot }, { size: to, root: toRoot }, path))
      throw orgLogBroken(`its nodes do not prove that ${to} leaves begin with its first ${from}`);
    return { path, fromRoot, toRoot };
  }

  /** Folds each list of nodes; one that several lists hold is read once. */
  private async read<const Lists extends readonly (readonly (readonly NodeId[])[])[]>(
    log: LogKey,
    ...lists: Lists
  ): Promise<{ [K in keyof Lists]: readonly Uint8Array[] }> {
    const ids = new Map(lists.flat(2).map((id) => [nameOf(id), id]));
    const hashes = await this.trees.hashes(log, [...ids.values()]);
    const found = new Map([...ids.keys()].map((name, at) => [name, hashes[at] ?? MISSING]));
    return lists.map((list) =>
      list.map((nodes) => foldPeaks(nodes.map((id) => found.get(nameOf(id))!))),
    ) as { [K in keyof Lists]: readonly Uint8Array[] };
  }
}

const nameOf = ({ level, index }: NodeId): string => `${level}/${index}`;
/** Leads to another root, so that no proof rests on it. */
const MISSING = new Uint8Array(32);
