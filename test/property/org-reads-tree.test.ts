import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../domain/kernel/digest.ts';
import {
  growingOrgReads,
  isOrgRead,
  orgReadLeaf,
  orgReadsDepth,
  orgReadsPath,
  orgReadsRoot,
  orgReadsSiblings,
} from '../../domain/transparency/org-reads-tree.ts';
import { peaksOf } from '../../domain/transparency/rfc9162-tree.ts';

const hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** The tree of interface.md 2.8 word for word, over hex strings; level by level. */
const naiveLevels = (leaves: readonly string[]): readonly (readonly string[])[] => {
  const levels = [leaves];
  while (levels.at(-1)!.length > 1) {
    const level = levels.at(-1)!;
    levels.push(
      level.flatMap((left, at) => (at % 2 === 0 ? [hex(left + (level[at + 1] ?? left))] : [])),
    );
  }
  return levels;
};

const naivePath = (levels: readonly (readonly string[])[], index: number): readonly string[] =>
  levels.slice(0, -1).map((level, at) => {
    const own = Math.floor(index / 2 ** at);
    return level[own % 2 === 0 ? own + 1 : own - 1] ?? level[own]!;
  });

/** Ours, from stored complete subtrees. */
const build = (size: number) => {
  const stored = new Map<string, Uint8Array>();
  const tree = growingOrgReads(0, []);
  const leaves: string[] = [];
  for (let at = 0; at < size; at++) {
    const leaf = orgReadLeaf(new TextEncoder().encode(`read ${at}`));
    leaves.push(toHex(leaf));
    for (const { level, index, hash } of tree.append(leaf)) stored.set(`${level}/${index}`, hash);
  }
  const peaks = peaksOf(size).map(({ level, index }) => stored.get(`${level}/${index}`)!);
  return { stored, tree, leaves, peaks };
};

describe('the tree over the reads of an org', () => {
  it('has the root of the naive definition at every size', () => {
    expect(toHex(orgReadsRoot(0, []))).toBe(hex(''));
    for (let size = 1; size <= 130; size++) {
      const { leaves, peaks, tree } = build(size);
      expect(toHex(orgReadsRoot(size, peaks))).toBe(naiveLevels(leaves).at(-1)![0]);
      expect(tree.peakHashes).toEqual(peaks);
    }
  });

  it('proves every leaf as the naive definition does, and no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(), (size, pick) => {
        const index = pick % size;
        const { leaves, peaks, stored } = build(size);
        const levels = naiveLevels(leaves);
        const ids = orgReadsSiblings(index, size);
        const path = orgReadsPath(
          size,
          ids.map((id) => id && stored.get(`${id.level}/${id.index}`)!),
          peaks,
        );
        expect(path.map(toHex)).toEqual(naivePath(levels, index));
        expect(path).toHaveLength(Math.ceil(Math.log2(size)));
        const root = orgReadsRoot(size, peaks);
        const leaf = fromHex(leaves[index]!);
        expect(isOrgRead(leaf, index, size, path, root)).toBe(true);
        const other = orgReadLeaf(new Uint8Array([1]));
        expect(isOrgRead(other, index, size, path, root)).toBe(false);
        expect(isOrgRead(leaf, index, size, [...path, root], root)).toBe(false);
        expect(isOrgRead(leaf, size, size, path, root)).toBe(false);
        if (size > 1) expect(isOrgRead(leaf, index, size, path.slice(1), root)).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  it('asks for at most 40 nodes at a million leaves', () => {
    for (const size of [1_000_000, 2 ** 20 - 1, 2 ** 20])
      for (const index of [0, 1, 524_287, size - 1]) {
        const ids = orgReadsSiblings(index, size).filter((id) => id !== null);
        expect(ids.length + peaksOf(size).length).toBeLessThanOrEqual(40);
      }
    expect(orgReadsDepth(1_000_000)).toBe(20);
  });

  it('says no to hostile input, and does not throw', () => {
    const { leaves, peaks } = build(3);
    const root = orgReadsRoot(3, peaks);
    const leaf = fromHex(leaves[2]!);
    const short = new Uint8Array(31);
    for (const [index, size] of [
      [NaN, 3],
      [-1, 3],
      [0, Infinity],
      [2, 2 ** 60],
      [1.5, 3],
    ] as const)
      expect(isOrgRead(leaf, index, size, [leaf, root], root)).toBe(false);
    expect(isOrgRead(short, 2, 3, [leaf, root], root)).toBe(false);
    expect(isOrgRead(leaf, 2, 3, [short, root], root)).toBe(false);
  });
});
