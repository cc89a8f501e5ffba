import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChainCovers } from '../../../domain/verification/dump/chain-covers.ts';
import {
  COVER_BYTES,
  isPackable,
  packCover,
  unpackCover,
  type Cover,
} from '../../../domain/verification/dump/rows/packed-cover.ts';

const uuid = fc
  .nat({ max: 30 })
  .map((value) => `0190a000-0000-7000-8000-0000000000${value.toString(16).padStart(2, '0')}`);
const cover = fc.record({
  chainKey: fc.oneof(
    { weight: 6, arbitrary: uuid },
    fc.constantFrom('schema:a', 'schema:b', '', '0', 'ZZ'),
  ),
  position: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  headHash: fc.string({
    unit: fc.constantFrom(...'0123456789abcdef'),
    minLength: 64,
    maxLength: 64,
  }),
  key: fc.option(fc.nat({ max: 9_999 })),
  at: fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
});
/** As a log has them: each with its own place. */
const log: fc.Arbitrary<readonly Cover[]> = fc
  .array(cover, { maxLength: 120 })
  .map((all) => all.map((one, logIndex) => ({ ...one, logIndex })));

const add = (covers: ChainCovers, one: Cover): void => {
  if (!isPackable(one)) return covers.add(one);
  const bytes = new Uint8Array(COVER_BYTES);
  packCover(one, bytes, 0);
  covers.addPacked(bytes, 0);
};

const taken = (covers: ChainCovers, upTo: string | null): readonly Cover[] => {
  const { packed, named } = covers.takeUpTo(upTo);
  const unpacked = Array.from({ length: packed.length / COVER_BYTES }, (_, index) =>
    unpackCover(packed, index * COVER_BYTES),
  );
  return [...unpacked, ...named];
};

const byChain = (all: readonly Cover[]): ReadonlyMap<string, readonly Cover[]> => {
  const chains = new Map<string, Cover[]>();
  for (const one of all) chains.set(one.chainKey, [...(chains.get(one.chainKey) ?? []), one]);
  return chains;
};

describe('checkpoints that wait for their chains', () => {
  it('are given out once each, up to the chain that is asked for, in the order of the log', () => {
    fc.assert(
      fc.property(log, fc.array(uuid, { maxLength: 5 }), (all, asked) => {
        const covers = new ChainCovers('', 1_000);
        for (const one of all) add(covers, one);
        expect(covers.end).toBeNull();
        let before: string | null = null;
        for (const upTo of [...asked.toSorted(), null]) {
          const wanted = all.filter(
            ({ chainKey }) =>
              (before === null || chainKey > before) && (upTo === null || chainKey <= upTo),
          );
          expect(byChain(taken(covers, upTo))).toEqual(byChain(wanted));
          before = upTo;
        }
      }),
    );
  });

  it('are read again, window after window, until none is left', () => {
    fc.assert(
      fc.property(log, fc.integer({ min: 1, max: 40 }), (all, window) => {
        const given: Cover[] = [];
        for (let from: string | null = ''; from !== null;) {
          const covers: ChainCovers = new ChainCovers(from, window);
          for (const one of all) add(covers, one);
          const part = taken(covers, null);
          if (covers.end !== null) expect(part.length).toBeGreaterThan(0);
          // A window holds no chain in part.
          for (const [chainKey, held] of byChain(part))
            expect(held).toEqual(all.filter((one) => one.chainKey === chainKey));
          if (byChain(part).size > 1) expect(part.length).toBeLessThanOrEqual(1.25 * window);
          given.push(...part);
          from = covers.end;
        }
        expect(byChain(given)).toEqual(byChain(all));
      }),
    );
  });
});
