import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grownChains, type UncoveredChain } from '../../../application/sealing/grown-chains.ts';
import { QuietRanges } from '../../../application/sealing/quiet-ranges.ts';
import type { ChainEnds, ChainScan } from '../../../domain/vault/chain-store.port.ts';

/** Enough for several pages. */
const CHAINS = 1_700;

interface Chain {
  position: number;
  covered: number;
  /** The row of its head says less than its entries. */
  isBroken: boolean;
}

const hashOf = (position: number): Uint8Array => new Uint8Array(32).fill(position);
const at = '2026-01-01T00:00:00.000Z';
const keyOf = (index: number): string => `chain-${String(index).padStart(6, '0')}`;

/** The chains that a test holds, behind the port. */
class Chains implements ChainScan {
  readonly all = new Map<string, Chain>();
  pages = 0;

  grow(key: string): void {
    const chain = this.all.get(key);
    if (chain) chain.position++;
    else this.all.set(key, { position: 1, covered: 0, isBroken: false });
  }

  private sorted(): [string, Chain][] {
    return [...this.all].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  chainsAfter(after: string, limit: number): Promise<readonly ChainEnds[]> {
    this.pages++;
    const page = this.sorted()
      .filter(([key]) => key > after)
      .slice(0, limit);
    return Promise.resolve(
      page.map(([chainKey, { position, covered, isBroken }]) => ({
        chainKey,
        newest: position,
        head: { chainKey, position: isBroken ? 0 : position, hash: hashOf(position), at },
        covered: covered ? { logIndex: 0, position: covered, hash: hashOf(covered), at } : null,
      })),
    );
  }

  headsExtent(after: string, upTo: string): Promise<{ heads: number; positions: number }> {
    const heads = [...this.all].filter(
      ([key, { isBroken }]) => key > after && key <= upTo && !isBroken,
    );
    const positions = heads.reduce((sum, [, { position }]) => sum + position, 0);
    return Promise.resolve({ heads: heads.length, positions });
  }

  checkpointsAt = () => Promise.resolve([]);
  entriesAt = () => Promise.resolve(new Map());
}

const writer = {
  genuine: <T>(heads: readonly T[]) => Promise.resolve(new Set(heads)),
  rewound: { losses: () => Promise.resolve({ isLost: () => false }), isRewound: () => false },
} as unknown as Parameters<typeof grownChains>[1];

const walk = async (
  chains: Chains,
  quiet: QuietRanges,
  whileAt: (walked: number) => void,
  isLeft: (chainKey: string) => boolean = () => false,
) => {
  quiet.begin();
  const covered: string[] = [];
  const found: string[] = [];
  const look = {
    found: ({ chainKey }: UncoveredChain): void => {
      found.push(chainKey);
      quiet.leave(chainKey);
    },
    proven: null,
    quiet,
    isLeft,
  };
  for await (const heads of grownChains(chains, writer, look)) {
    for (const { chainKey, position } of heads) {
      chains.all.get(chainKey)!.covered = position;
      covered.push(chainKey);
    }
    whileAt(covered.length);
  }
  return { covered, found };
};

const growth = fc.array(fc.nat(CHAINS + 400), { maxLength: 40 });

describe('looks at grown chains that pass over quiet ranges', () => {
  it('find every chain that grew since, and every one that cannot be covered', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(CHAINS - 1), { maxLength: 3 }),
        fc.array(fc.record({ before: growth, meanwhile: growth }), { maxLength: 5 }),
        async (broken, looks) => {
          const chains = new Chains();
          for (let index = 0; index < CHAINS; index++) chains.grow(keyOf(index));
          for (const index of broken) chains.all.get(keyOf(index))!.isBroken = true;
          const quiet = new QuietRanges();
          await walk(chains, quiet, () => undefined);
          for (const { before, meanwhile } of [...looks, { before: [], meanwhile: [] }]) {
            for (const index of before) chains.grow(keyOf(index));
            const grown = [...chains.all]
              .filter(([, chain]) => !chain.isBroken && chain.position > chain.covered)
              .map(([key]) => key);
            const rest = [...meanwhile];
            const { covered, found } = await walk(chains, quiet, () => {
              const next = rest.pop();
              if (next !== undefined) chains.grow(keyOf(next));
            });
            expect(covered).toEqual(expect.arrayContaining(grown));
            expect(found.sort()).toEqual(broken.map(keyOf).sort());
          }
        },
      ),
      { numRuns: 60 },
    ));

  it('read no page where nothing grew, and all pages again where checkpoints were undone', async () => {
    const chains = new Chains();
    for (let index = 0; index < CHAINS; index++) chains.grow(keyOf(index));
    const quiet = new QuietRanges();
    await walk(chains, quiet, () => undefined);
    const pages = async (): Promise<number> => {
      chains.pages = 0;
      await walk(chains, quiet, () => undefined);
      return chains.pages;
    };
    // The one that finds no chain after the last one.
    expect(await pages()).toBe(1);
    quiet.distrust();
    expect(await pages()).toBe(5);
    expect(await pages()).toBe(1);
  });

  it('find a chain again that the look before left to them', async () => {
    const chains = new Chains();
    for (let index = 0; index < CHAINS; index++) chains.grow(keyOf(index));
    const quiet = new QuietRanges();
    const left = keyOf(CHAINS - 1);
    const first = await walk(
      chains,
      quiet,
      () => undefined,
      (key) => key === left,
    );
    expect(first.covered).not.toContain(left);
    expect((await walk(chains, quiet, () => undefined)).covered).toEqual([left]);
    expect((await walk(chains, quiet, () => undefined)).covered).toEqual([]);
  });
});
