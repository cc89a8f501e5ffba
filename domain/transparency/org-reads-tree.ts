import { bytesEqual, sha256, toHex } from '../kernel/digest.ts';
import { GrowingTree, peaksOf, type NodeId } from './rfc9162-tree.ts';

/**
 * The Merkle tree over the reads of an org's data (interface.md 2.8). It is not that of RFC 9162: nodes are the lowercase
 * hex of their hashes, two of them combine as the hash of that text, nothing tells leaves from nodes, and the last node
 * of an odd level is paired with itself. What that pairing could hide, the link from each leaf to the one before shows.
 *
 * It is kept like the other one, as its complete subtrees; hashes are 32 bytes here.
 */

/** A leaf: SHA-256 of the complete COSE_Sign1 of a read. */
export const orgReadLeaf = (coseSign1: Uint8Array): Uint8Array => sha256(coseSign1);

const utf8 = new TextEncoder();

export const orgReadsNode = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  sha256(utf8.encode(toHex(left) + toHex(right)));

/** What is known of the tree while it grows; its root is `orgReadsRoot` of the size and the peaks. */
export const growingOrgReads = (size: number, peaks: readonly Uint8Array[]): GrowingTree =>
  new GrowingTree(size, peaks, orgReadsNode);

/** How many siblings a proof has: one for each level below the root. */
export const orgReadsDepth = (size: number): number => {
  let depth = 0;
  for (let nodes = size; nodes > 1; nodes = Math.ceil(nodes / 2)) depth++;
  return depth;
};

/** @param peaks the hashes of `peaksOf(size)`. */
export const orgReadsRoot = (size: number, peaks: readonly Uint8Array[]): Uint8Array =>
  size === 0 ? EMPTY_ORG_READS : rightEdge(size, peaks).at(-1)!;

/** SHA-256 of nothing. */
const EMPTY_ORG_READS: Uint8Array = sha256(new Uint8Array(0));

/**
 * The complete subtrees that a proof needs beside the peaks: the sibling of each level, from the leaf; null where it is
 * not complete, and follows from the peaks.
 *
 * @throws RangeError where there is no such leaf.
 */
export const orgReadsSiblings = (index: number, size: number): readonly (NodeId | null)[] => {
  if (!(Number.isSafeInteger(index) && index >= 0 && index < size))
    throw new RangeError(`no leaf ${index} in a tree of ${size}`);
  return Array.from({ length: orgReadsDepth(size) }, (_, level) => {
    const own = Math.floor(index / 2 ** level);
    const last = lastAt(size, level);
    const sibling = Math.min(own % 2 === 0 ? own + 1 : own - 1, last);
    const isComplete = (sibling + 1) * 2 ** level <= size;
    return isComplete ? { level, index: sibling } : null;
  });
};

/**
 * A proof: one sibling for each level, that of the leaf first.
 *
 * @param siblings the hashes of `orgReadsSiblings`; null where it has null.
 * @param peaks the hashes of `peaksOf(size)`.
 */
export const orgReadsPath = (
  size: number,
  siblings: readonly (Uint8Array | null)[],
  peaks: readonly Uint8Array[],
): readonly Uint8Array[] => {
  const edge = rightEdge(size, peaks);
  return siblings.map((sibling, level) => sibling ?? edge[level]!);
};

/** Whether a leaf stands in the tree of this root. Of hostile input it says no, and never throws. */
export const isOrgRead = (
  leaf: Uint8Array,
  index: number,
  size: number,
  path: readonly Uint8Array[],
  root: Uint8Array,
): boolean => {
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(index) || index < 0 || index >= size)
    return false;
  if (path.length !== orgReadsDepth(size)) return false;
  if (![leaf, root, ...path].every((hash) => hash.length === 32)) return false;
  let hash = leaf;
  for (const [level, sibling] of path.entries()) {
    const own = Math.floor(index / 2 ** level);
    const isPairedWithItself = own % 2 === 0 && own === lastAt(size, level);
    if (isPairedWithItself && !bytesEqual(sibling, hash)) return false;
    hash = own % 2 === 0 ? orgReadsNode(hash, sibling) : orgReadsNode(sibling, hash);
  }
  return bytesEqual(hash, root);
};

/** The last node of every level, from the leaves to the root, as far as the peaks say it: where it is not complete they do. */
const rightEdge = (size: number, peaks: readonly Uint8Array[]): readonly Uint8Array[] => {
  const ids = peaksOf(size);
  if (size < 1 || ids.length !== peaks.length)
    throw new RangeError(`a tree of ${size} leaves has ${ids.length} peaks`);
  const peakAt = new Map(ids.map(({ level }, at) => [level, peaks[at]!]));
  const edge = [peakAt.get(0) ?? null];
  for (let level = 0; level < orgReadsDepth(size); level++) {
    const last = edge[level]!;
    const isOdd = lastAt(size, level) % 2 === 0;
    if (last === null) edge.push(peakAt.get(level + 1) ?? null);
    else edge.push(isOdd ? orgReadsNode(last, last) : orgReadsNode(peakAt.get(level)!, last));
  }
  return edge as readonly Uint8Array[];
};

const lastAt = (size: number, level: number): number => Math.ceil(size / 2 ** level) - 1;
