import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../domain/kernel/digest.ts';
import { KnownDigests } from '../../../domain/kernel/known-digests.ts';

const digestOf = (n: number): Uint8Array => sha256(Uint8Array.of(n >> 16, n >> 8, n));
const FEW = Array.from({ length: 60 }, (_, n) => digestOf(n));

describe('known digests', () => {
  it('are some of those that were added, the newest among them, and never another', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(4, 10, 32),
        fc.array(fc.nat(FEW.length - 1), { maxLength: 200 }),
        (capacity, added) => {
          const known = new KnownDigests(capacity);
          for (const n of added) known.add(FEW[n]!);
          for (const n of added.slice(-4)) expect(known.has(FEW[n]!)).toBe(true);
          FEW.forEach((digest, n) => {
            if (!added.includes(n)) expect(known.has(digest)).toBe(false);
          });
        },
      ),
      { numRuns: 200 },
    );
  });

  it('differ in every byte', () => {
    const known = new KnownDigests(4);
    const digest = digestOf(1);
    known.add(digest);
    for (let at = 0; at < digest.length; at++)
      expect(known.has(digest.with(at, digest[at]! ^ 1))).toBe(false);
  });

  it('are hardly lost while they are half of what fits, and no more than that stay', () => {
    const capacity = 2_048;
    const known = new KnownDigests(capacity);
    for (let n = 0; n < 30_000; n++) known.add(digestOf(n));
    const found = (from: number, to: number): number => {
      let count = 0;
      for (let n = from; n < to; n++) if (known.has(digestOf(n))) count++;
      return count;
    };
    expect(found(30_000 - capacity / 2, 30_000)).toBeGreaterThan((capacity / 2) * 0.94);
    expect(found(0, 30_000)).toBe(capacity);
  });

  it('have 32 bytes', () => {
    for (const bytes of [0, 31, 33])
      expect(() => new KnownDigests(4).add(new Uint8Array(bytes))).toThrow(RangeError);
  });
});
