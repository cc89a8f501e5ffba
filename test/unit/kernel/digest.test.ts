import { createHash } from 'node:crypto';
import { sha256 as pure } from '@noble/hashes/sha2.js';
import { afterAll, describe, expect, it } from 'vitest';
import { hashWithRuntime } from '../../../adapters/system/runtime-sha256.ts';
import { hashWith, sha256, sha256Hex } from '../../../domain/kernel/digest.ts';

const bytesOf = (length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 31) & 255));
const LENGTHS = [0, 1, 55, 56, 63, 64, 65, 119, 128, 1_000, 65_536, 1_000_003];
const ways = [
  ['pure JavaScript', () => hashWith(pure)],
  ['the runtime', hashWithRuntime],
] as const;

afterAll(hashWithRuntime);

describe.each(ways)('SHA-256 by %s', (_name, use) => {
  it.each(LENGTHS)('of %i bytes is what another implementation gives', (length) => {
    use();
    const bytes = bytesOf(length);
    const expected = createHash('sha256').update(bytes).digest();
    expect(Buffer.from(sha256(bytes))).toEqual(expected);
    expect(sha256Hex(bytes)).toBe(expected.toString('hex'));
    expect(bytes).toEqual(bytesOf(length));
  });

  it('gives 32 bytes that are the caller’s own', () => {
    use();
    const first = sha256(bytesOf(3));
    const copy = Uint8Array.from(first);
    sha256(bytesOf(4)).fill(0);
    expect(first).toEqual(copy);
    expect(first).toHaveLength(32);
    expect(first.constructor).toBe(Uint8Array);
  });
});

describe('another implementation', () => {
  it.each<[string, (bytes: Uint8Array) => Uint8Array]>([
    ['gives something else', () => new Uint8Array(32)],
    ['gives another hash', (bytes) => createHash('sha512-256').update(bytes).digest()],
    ['is right for short values alone', (bytes) => (bytes.length < 64 ? pure(bytes) : bytes)],
    [
      'throws',
      () => {
        throw new Error('no provider');
      },
    ],
  ])('that %s is refused, and changes nothing', (_name, other) => {
    hashWithRuntime();
    const before = sha256Hex(bytesOf(100));
    expect(() => hashWith(other)).toThrow();
    expect(sha256Hex(bytesOf(100))).toBe(before);
  });
});
