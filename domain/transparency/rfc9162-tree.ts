import { sha256 } from '../kernel/digest.ts';

/**
 * The Merkle tree of an append-only log (RFC 9162 section 2.1), with SHA-256. Hashes are 32 bytes.
 *
 * A tree is kept as its complete subtrees, which never change again. Level 0 holds the leaves; a node of level n covers
 * 2^n of them. So a root, a proof and a new leaf each need O(log n) nodes at any size.
 */
export interface NodeId {
  readonly level: number;
  /** From the left, from 0. */
  readonly index: number;
}

export interface TreeNode extends NodeId {
  readonly hash: Uint8Array;
}

/** Of an empty tree (section 2.1.1). */
export const EMPTY_ROOT: Uint8Array = sha256(new Uint8Array(0));

/** Hash of a leaf: SHA-256(0x00 || input). */
export const leafHash = (input: Uint8Array): Uint8Array => prefixed(0, input);

/** Hash of a node: SHA-256(0x01 || left || right). */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  prefixed(1, left, right);

/** The complete subtrees that a tree of this size consists of, from the left: one for each bit of the size. */
export const peaksOf = (size: number): readonly NodeId[] => subtreesOf(0, size);

/** The hash over adjacent complete subtrees, from the left, that end at the right edge of a tree. */
export const foldPeaks = (hashes: readonly Uint8Array[]): Uint8Array =>
  hashes.length === 0 ? EMPTY_ROOT : hashes.reduceRight((right, left) => nodeHash(left, right));

/** A tree that grows: what is known of it are the hashes of its peaks. */
export class GrowingTree {
  private readonly peaks: { readonly level: number; readonly hash: Uint8Array }[];

  /**
   * @param hashes those of `peaksOf(size)`.
   * @param combine of two nodes of one level; another tree than this one may have another.
   */
  constructor(
    private leaves: number,
    hashes: readonly Uint8Array[],
    private readonly combine: typeof nodeHash = nodeHash,
  ) {
    const ids = peaksOf(leaves);
    if (ids.length !== hashes.length)
      throw new RangeError(`a tree of ${leaves} leaves has ${ids.length} peaks`);
    this.peaks = ids.map(({ level }, at) => ({ level, hash: hashes[at]! }));
  }

  get size(): number {
    return this.leaves;
  }

  copy(): GrowingTree {
    return new GrowingTree(this.leaves, this.peakHashes, this.combine);
  }

  /** In the order of `peaksOf`. */
  get peakHashes(): readonly Uint8Array[] {
    return this.peaks.map(({ hash }) => hash);
  }

  get root(): Uint8Array {
    return foldPeaks(this.peakHashes);
  }

  /** Appends a leaf and gives the nodes that it completes, the leaf first. */
  append(leaf: Uint8Array): readonly TreeNode[] {
    let node: TreeNode = { level: 0, index: this.leaves++, hash: leaf };
    const completed = [node];
    for (let left = this.peaks.at(-1); left?.level === node.level; left = this.peaks.at(-1)) {
      this.peaks.pop();
      node = {
        level: node.level + 1,
        index: Math.floor(node.index / 2),
        hash: this.combine(left.hash, node.hash),
      };
      completed.push(node);
    }
    this.peaks.push(node);
    return completed;
  }
}

/**
 * What an inclusion proof is made of (section 2.1.3.1), the sibling of the leaf first. Each hash is the fold of the
 * subtrees in its list: one, but for those at the right edge.
 */
export const inclusionPath = (index: number, size: number): readonly (readonly NodeId[])[] => {
  if (index < 0 || index >= size) throw new RangeError(`no leaf ${index} in a tree of ${size}`);
  const siblings: (readonly NodeId[])[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    const isLeft = index < middle;
    siblings.push(isLeft ? subtreesOf(middle, end) : subtreesOf(start, middle));
    if (isLeft) end = middle;
    else start = middle;
  }
  return siblings.reverse();
};

/** What a consistency proof between two sizes is made of (section 2.1.4.1), in its order. */
export const consistencyPath = (from: number, to: number): readonly (readonly NodeId[])[] => {
  if (from < 1 || from > to)
    throw new RangeError(`a tree of ${from} is no beginning of one of ${to}`);
  const path: (readonly NodeId[])[] = [];
  let [start, end, isWhole] = [0, to, true];
  while (from !== end) {
    const middle = start + splitOf(end - start);
    if (from <= middle) {
      path.push(subtreesOf(middle, end));
      end = middle;
    } else {
      path.push(subtreesOf(start, middle));
      start = middle;
      isWhole = false;
    }
  }
  if (!isWhole) path.push(subtreesOf(start, end));
  return path.reverse();
};

/** Whether a leaf stands in the tree of this root (section 2.1.3.2). Of hostile input it says no, and never throws. */
export const isIncluded = (
  leaf: Uint8Array,
  index: number,
  size: number,
  path: readonly Uint8Array[],
  root: Uint8Array,
): boolean => {
  const reached = rootFrom(leaf, index, size, path);
  return reached !== null && isHash(root) && isSame(reached, root);
};

/** The root that a path leads to from a leaf; null where it is not a path of that place. It never throws. */
export const rootFrom = (
  leaf: Uint8Array,
  index: number,
  size: number,
  path: readonly Uint8Array[],
): Uint8Array | null => {
  if (!isCount(index) || !isCount(size) || index >= size) return null;
  if (![leaf, ...path].every(isHash)) return null;
  let [fn, sn, hash] = [index, size - 1, leaf];
  for (const sibling of path) {
    if (sn === 0) return null;
    if (fn % 2 === 1 || fn === sn) {
      hash = nodeHash(sibling, hash);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else {
      hash = nodeHash(hash, sibling);
    }
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 ? hash : null;
};

/** Whether the tree of the second root begins with that of the first (section 2.1.4.2). It never throws. */
export const isConsistent = (
  from: { readonly size: number; readonly root: Uint8Array },
  to: { readonly size: number; readonly root: Uint8Array },
  path: readonly Uint8Array[],
): boolean => {
  if (!isCount(from.size) || !isCount(to.size) || from.size < 1 || from.size > to.size)
    return false;
  if (![from.root, to.root, ...path].every(isHash)) return false;
  if (from.size === to.size) return path.length === 0 && isSame(from.root, to.root);
  const [first, ...rest] = isPowerOfTwo(from.size) ? [from.root, ...path] : path;
  if (!first) return false;
  let [fn, sn] = [from.size - 1, to.size - 1];
  while (fn % 2 === 1) [fn, sn] = [half(fn), half(sn)];
  let [older, newer] = [first, first];
  for (const hash of rest) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      older = nodeHash(hash, older);
      newer = nodeHash(hash, newer);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else {
      newer = nodeHash(newer, hash);
    }
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 && isSame(older, from.root) && isSame(newer, to.root);
};

/** The complete subtrees that the leaves from `start` to before `end` consist of, where no larger one crosses `start`. */
const subtreesOf = (start: number, end: number): readonly NodeId[] => {
  const ids: NodeId[] = [];
  for (let at = start; at < end;) {
    const level = Math.floor(Math.log2(end - at));
    const width = 2 ** level;
    ids.push({ level, index: at / width });
    at += width;
  }
  return ids;
};

/** The largest power of two that is smaller than `n`, which is at least 2. */
const splitOf = (n: number): number => 2 ** Math.floor(Math.log2(n - 1));

const half = (n: number): number => Math.floor(n / 2);
const isCount = (n: number): boolean => Number.isSafeInteger(n) && n >= 0;
const isPowerOfTwo = (n: number): boolean => 2 ** Math.floor(Math.log2(n)) === n;
const isHash = (bytes: Uint8Array): boolean => bytes.length === 32;
const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.every((byte, at) => byte === b[at]);

const prefixed = (prefix: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const bytes = new Uint8Array(1 + parts.reduce((sum, part) => sum + part.length, 0));
  bytes[0] = prefix;
  let at = 1;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return sha256(bytes);
};
