import { describe, expect, it } from 'vitest';
import { LogPaths } from '../../../application/transparency/log-paths.ts';
import {
  GrowingTree,
  leafHash,
  peaksOf,
  type NodeId,
} from '../../../domain/transparency/rfc9162-tree.ts';

const LOG = 'scitt:0190a000-0000-7000-8000-000000000002';
const LEAVES = 1_000_000;
const MOST_READS = 40;

/** All nodes of a log, level by level, which count how many of them are read. */
class CountedNodes {
  reads = 0;
  private readonly levels: Uint8Array[][] = [];
  readonly tree = new GrowingTree(0, []);

  constructor(size: number) {
    const input = new Uint8Array(4);
    for (let index = 0; index < size; index++) {
      new DataView(input.buffer).setUint32(0, index);
      for (const { level, index: at, hash } of this.tree.append(leafHash(input)))
        (this.levels[level] ??= [])[at] = hash;
    }
  }

  leaf(index: number): { readonly index: number; readonly hash: Uint8Array } {
    return { index, hash: this.levels[0]![index]! };
  }

  hashes(_log: string, nodes: readonly NodeId[]): Promise<readonly (Uint8Array | null)[]> {
    this.reads += nodes.length;
    return Promise.resolve(nodes.map(({ level, index }) => this.levels[level]?.[index] ?? null));
  }
}

describe('a log of 1,000,000 leaves', () => {
  const nodes = new CountedNodes(LEAVES);
  const paths = new LogPaths(nodes);
  const readsOf = async (work: () => Promise<unknown>): Promise<number> => {
    nodes.reads = 0;
    await work();
    return nodes.reads;
  };

  it('costs a receipt at most 40 node reads, with those that open the log in a process that does not know it', async () => {
    const { size, root } = nodes.tree;
    let most = 0;
    for (const index of [0, 1, 524_287, 524_288, 983_039, 999_423, 999_935, 999_999, 123_456]) {
      const reads = await readsOf(async () => {
        await nodes.hashes(LOG, peaksOf(size));
        await paths.inclusion(LOG, nodes.leaf(index), { size, root });
      });
      most = Math.max(most, reads);
    }
    expect(most).toBeLessThanOrEqual(MOST_READS);
    expect(most).toBeGreaterThan(20);
  });

  it('costs a consistency proof at most 40 node reads, between any two sizes', async () => {
    let most = 0;
    const sizes = [1, 2, 3, 524_287, 524_288, 524_289, 699_050, 786_431, 983_039, 999_999, LEAVES];
    for (const from of sizes)
      for (const to of sizes)
        if (from <= to)
          most = Math.max(most, await readsOf(() => paths.consistency(LOG, from, to)));
    expect(most).toBeLessThanOrEqual(MOST_READS);
  });
});
