import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../../domain/kernel/digest.ts';
import {
  consistencyPath,
  EMPTY_ROOT,
  foldPeaks,
  GrowingTree,
  inclusionPath,
  isConsistent,
  isIncluded,
  leafHash,
  nodeHash,
  peaksOf,
  type NodeId,
} from '../../../domain/transparency/rfc9162-tree.ts';

/** The leaves and roots of the reference implementation of Certificate Transparency (RFC 6962, the same tree). */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

/** MTH of RFC 9162 section 2.1.1, word for word. */
const mth = (leaves: readonly Uint8Array[]): Uint8Array => {
  if (leaves.length === 0) return EMPTY_ROOT;
  if (leaves.length === 1) return leaves[0]!;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return nodeHash(mth(leaves.slice(0, k)), mth(leaves.slice(k)));
};

/** PATH of section 2.1.3.1, word for word. */
const path = (m: number, leaves: readonly Uint8Array[]): Uint8Array[] => {
  if (leaves.length === 1) return [];
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return m < k
    ? [...path(m, leaves.slice(0, k)), mth(leaves.slice(k))]
    : [...path(m - k, leaves.slice(k)), mth(leaves.slice(0, k))];
};

/** SUBPROOF of section 2.1.4.1, word for word. */
const subproof = (m: number, leaves: readonly Uint8Array[], whole: boolean): Uint8Array[] => {
  if (m === leaves.length) return whole ? [] : [mth(leaves)];
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return m <= k
    ? [...subproof(m, leaves.slice(0, k), whole), mth(leaves.slice(k))]
    : [...subproof(m - k, leaves.slice(k), false), mth(leaves.slice(0, k))];
};

const grown = (size: number) => {
  const tree = new GrowingTree(0, []);
  const nodes = new Map<string, Uint8Array>();
  const leaves = Array.from({ length: size }, (_, at) => leafHash(Uint8Array.of(at, at >> 8)));
  for (const leaf of leaves)
    for (const { level, index, hash } of tree.append(leaf)) nodes.set(`${level}/${index}`, hash);
  const hashOf = ({ level, index }: NodeId) => {
    const hash = nodes.get(`${level}/${index}`);
    if (!hash) throw new Error(`the node ${level}/${index} is not complete`);
    return hash;
  };
  return { tree, leaves, foldOf: (ids: readonly NodeId[]) => foldPeaks(ids.map(hashOf)) };
};

const SIZES = fc.integer({ min: 1, max: 300 });

describe('the tree of RFC 9162', () => {
  it('has the published roots', () => {
    const tree = new GrowingTree(0, []);
    expect(toHex(tree.root)).toBe(ROOTS[0]);
    LEAVES.forEach((leaf, at) => {
      tree.append(leafHash(fromHex(leaf)));
      expect(toHex(tree.root), `size ${at + 1}`).toBe(ROOTS[at + 1]);
    });
  });

  it('has the root of section 2.1.1 at any size, from its complete subtrees', () => {
    for (let size = 0; size <= 130; size++) {
      const { tree, leaves, foldOf } = grown(size);
      expect(tree.root).toEqual(mth(leaves));
      expect(foldOf(peaksOf(size))).toEqual(tree.root);
    }
  });

  it('goes on from its peaks alone', () => {
    fc.assert(
      fc.property(SIZES, SIZES, (first, more) => {
        const whole = grown(first + more);
        const { leaves } = whole;
        const part = grown(first);
        const again = new GrowingTree(
          first,
          peaksOf(first).map((id) => part.foldOf([id])),
        );
        for (const leaf of leaves.slice(first)) again.append(leaf);
        expect(again.root).toEqual(whole.tree.root);
        expect(again.size).toBe(first + more);
      }),
      { numRuns: 50 },
    );
  });

  it('makes the inclusion proofs of section 2.1.3.1, which verify, and for no other leaf, place or root', () => {
    fc.assert(
      fc.property(SIZES, fc.nat(), (size, any) => {
        const { tree, leaves, foldOf } = grown(size);
        const index = any % size;
        const proof = inclusionPath(index, size).map(foldOf);
        expect(proof).toEqual(path(index, leaves));
        expect(isIncluded(leaves[index]!, index, size, proof, tree.root)).toBe(true);
        const other = (index + 1) % size;
        if (other !== index) {
          expect(isIncluded(leaves[other]!, index, size, proof, tree.root)).toBe(false);
          expect(isIncluded(leaves[index]!, other, size, proof, tree.root)).toBe(false);
        }
        expect(isIncluded(leaves[index]!, index, size, proof, leafHash(tree.root))).toBe(false);
        expect(isIncluded(leaves[index]!, index, size, [...proof, tree.root], tree.root)).toBe(
          false,
        );
      }),
    );
  });

  it('makes the consistency proofs of section 2.1.4.1, which verify, and for no other pair', () => {
    fc.assert(
      fc.property(SIZES, SIZES, (a, b) => {
        const [from, to] = a < b ? [a, b] : [b, a];
        const { tree, leaves, foldOf } = grown(to);
        const older = { size: from, root: mth(leaves.slice(0, from)) };
        const newer = { size: to, root: tree.root };
        const proof = consistencyPath(from, to).map(foldOf);
        expect(proof).toEqual(subproof(from, leaves, true));
        expect(isConsistent(older, newer, proof)).toBe(true);
        expect(isConsistent({ ...older, root: leafHash(older.root) }, newer, proof)).toBe(false);
        expect(isConsistent(older, { ...newer, root: leafHash(newer.root) }, proof)).toBe(false);
        expect(isConsistent(older, newer, [...proof, tree.root])).toBe(false);
        if (proof.length > 0) expect(isConsistent(older, newer, proof.slice(1))).toBe(false);
      }),
    );
  });

  it('needs at most 40 nodes for any proof in a log of a million leaves', () => {
    const size = 1_000_000;
    for (const index of [0, 1, 524_287, 524_288, 999_998, 999_999, 737_280])
      expect(inclusionPath(index, size).flat().length).toBeLessThanOrEqual(40);
    for (const from of [1, 2, 524_287, 524_288, 524_289, 999_999, 1_000_000])
      expect(consistencyPath(from, size).flat().length).toBeLessThanOrEqual(40);
  });

  it('refuses sizes, places and hashes that no tree has, without throwing', () => {
    const root = leafHash(Uint8Array.of(1));
    expect(isIncluded(root, 0, 1, [], root)).toBe(true);
    expect(isIncluded(root, 0, 0, [], root)).toBe(false);
    expect(isIncluded(root, -1, 1, [], root)).toBe(false);
    expect(isIncluded(root, 0.5, 1, [], root)).toBe(false);
    expect(isIncluded(root, 0, Number.NaN, [], root)).toBe(false);
    expect(isIncluded(root.subarray(1), 0, 1, [], root.subarray(1))).toBe(false);
    expect(isIncluded(root, 0, 2, [root.subarray(1)], root)).toBe(false);
    expect(isConsistent({ size: 0, root: EMPTY_ROOT }, { size: 1, root }, [])).toBe(false);
    expect(isConsistent({ size: 2, root }, { size: 1, root }, [])).toBe(false);
    expect(isConsistent({ size: 3, root }, { size: 9, root }, [])).toBe(false);
  });
});
