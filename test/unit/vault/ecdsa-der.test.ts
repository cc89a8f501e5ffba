import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ecdsaFromDer, ecdsaToDer } from '../../../domain/vault/ecdsa-der.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

describe('an ECDSA signature', () => {
  it('is written as OpenSSL writes it, and read back (RFC 3279 section 2.2.3)', () => {
    for (let round = 0; round < 300; round++) {
      const der = Uint8Array.from(sign('sha256', Buffer.of(round & 255), privateKey));
      const raw = ecdsaFromDer(der);
      expect(raw).toHaveLength(64);
      expect(ecdsaToDer(raw!)).toEqual(der);
    }
  });

  it.each([
    ['a number of 33 bytes', '30 26 02 21 01' + '00'.repeat(32) + '02 01 01'],
    ['a long form of the length', '30 81 06 02 01 01 02 01 01'],
    ['zeros before a number', '30 07 02 02 00 01 02 01 01'],
    ['bytes after the end', '30 06 02 01 01 02 01 01 00'],
    ['a negative number', '30 06 02 01 ff 02 01 01'],
    ['nothing', ''],
  ])('is not read from %s', (_what, hex) => {
    expect(ecdsaFromDer(Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex')))).toBeNull();
  });
});
