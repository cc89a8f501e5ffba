import { randomBytes, randomInt } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { packed, unpacked } from '../../../adapters/sql/packed-bytes.ts';

const COSE = 0xd2;

describe('signed bytes that are packed', () => {
  it('come back byte for byte, whatever they are and whatever they begin with', () => {
    for (let run = 0; run < 2_000; run++) {
      const bytes = new Uint8Array(randomBytes(randomInt(0, 900)));
      if (bytes.length > 0) bytes[0] = [COSE, 0x01, 0x00, bytes[0]!][run % 4]!;
      expect(unpacked(packed(bytes))).toEqual(bytes);
    }
  });

  it('are as they were stored before anything was packed', () => {
    const stored = Uint8Array.of(COSE, 0x84, 0x58, 0xd0);
    expect(unpacked(stored)).toEqual(stored);
  });

  it('are given as they are, and never thrown at a reader, where somebody edited them', () => {
    const text = `{"headHash":"${'ab'.repeat(32)}","chainKind":"record"}`;
    const stored = packed(Buffer.concat([Uint8Array.of(COSE), Buffer.from(text.repeat(4))]));
    expect(stored[0]).toBe(0x01);
    for (let at = 1; at < stored.length; at++) {
      const edited = Uint8Array.from(stored);
      edited[at] = edited[at]! ^ 0xff;
      expect(() => unpacked(edited)).not.toThrow();
      expect(unpacked(edited)).not.toEqual(unpacked(stored));
    }
  });

  it('cannot be made to fill the memory', () => {
    const bomb = Buffer.concat([Uint8Array.of(0x01), deflateRawSync(Buffer.alloc(100_000_000))]);
    expect(unpacked(bomb).length).toBe(bomb.length);
  });
});
