import { p256 } from '@noble/curves/nist.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isP256Point } from '../../../domain/vault/p256-point.ts';

const P = p256.Point.Fp.ORDER;
const raw = (x: bigint, y: bigint, first = 4): Uint8Array =>
  Uint8Array.of(first, ...bytesOf(x), ...bytesOf(y));
const bytesOf = (value: bigint): Uint8Array =>
  Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));
const isOfLibrary = (bytes: Uint8Array): boolean => {
  try {
    p256.Point.fromBytes(bytes).assertValidity();
    return true;
  } catch {
    return false;
  }
};

describe('a point of P-256', () => {
  it('is what a library of its own says, of any scalar, and of the same with a bit changed', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, p256.Point.Fn.ORDER - 1n), fc.nat(519), (scalar, bit) => {
        const point = p256.Point.BASE.multiply(scalar).toBytes(false);
        expect(isP256Point(point)).toBe(true);
        const changed = point.with(bit >> 3, point[bit >> 3]! ^ (1 << (bit & 7)));
        expect(isP256Point(changed)).toBe(isOfLibrary(changed));
        expect(isP256Point(changed)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it('has coordinates below the prime, one form, and is not at infinity', () => {
    const { x, y } = p256.Point.BASE;
    // The smallest x of a point: x + p still has 32 bytes.
    const small = [...Array(50).keys()].find((at) => {
      const squared = p256.Point.Fp.create(
        BigInt(at) ** 3n - 3n * BigInt(at) + p256.Point.CURVE().b,
      );
      return p256.Point.Fp.pow(squared, (P - 1n) / 2n) === 1n;
    })!;
    const root = p256.Point.Fp.sqrt(
      p256.Point.Fp.create(BigInt(small) ** 3n - 3n * BigInt(small) + p256.Point.CURVE().b),
    );
    expect(isP256Point(raw(BigInt(small), root))).toBe(true);
    for (const wrong of [
      raw(BigInt(small) + P, root),
      raw(x, P - y, 6),
      raw(0n, 0n),
      raw(x, y).subarray(1),
      Uint8Array.of(...raw(x, y), 0),
      p256.Point.BASE.toBytes(true),
      Uint8Array.of(0),
      new Uint8Array(),
    ])
      expect(isP256Point(wrong)).toBe(false);
    expect(isP256Point(raw(x, P - y))).toBe(true);
  });
});
