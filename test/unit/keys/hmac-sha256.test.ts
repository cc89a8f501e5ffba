import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HmacSha256 } from '../../../adapters/keys/hmac-sha256.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('HmacSha256', () => {
  // RFC 4231 sections 4.2 and 4.3.
  it.each([
    [
      '0b'.repeat(20),
      'Hi There',
      'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    ],
    [
      '4a656665',
      'what do ya want for nothing?',
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
  ])('gives the published value under %s', (key, text, value) => {
    expect(hex(new HmacSha256(Buffer.from(key, 'hex')).of(text))).toBe(value);
  });

  it('agrees with the runtime on any key up to a block and any text', () => {
    const keys = fc.uint8Array({ maxLength: 64 });
    const texts = fc.string({ unit: 'binary', maxLength: 300 });
    fc.assert(
      fc.property(keys, texts, (key, text) => {
        const mac = createHmac('sha256', key).update(text, 'utf8').digest('hex');
        expect(hex(new HmacSha256(key).of(text))).toBe(mac);
      }),
      { numRuns: 500 },
    );
  });

  it('gives bytes that nobody else holds', () => {
    const hmac = new HmacSha256(randomBytes(32));
    const first = hmac.of('a');
    expect(first.byteLength).toBe(first.buffer.byteLength);
    first.fill(0);
    expect(hex(hmac.of('a'))).not.toBe('00'.repeat(32));
  });

  it('takes no key that is longer than a block', () => {
    expect(() => new HmacSha256(new Uint8Array(65))).toThrow(RangeError);
  });
});
