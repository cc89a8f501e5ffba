import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { HmacApiKeyHasher } from '../../../adapters/keys/hmac-api-key-hasher.ts';
import { formatApiKey, looksLikeApiKey } from '../../../domain/identity/api-key-secret.ts';

// Contract of domain/identity/api-key-hasher.port.ts

const pepper = (): Uint8Array => Uint8Array.from(randomBytes(32));

describe('HmacApiKeyHasher', () => {
  it('hashes a key by HMAC-SHA256 under a key derived by HKDF, never under the pepper itself', () => {
    const secret = pepper();
    const [hash] = new HmacApiKeyHasher([secret]).hashes('svc_agt_example');
    const derived = Buffer.from(
      hkdfSync('sha256', secret, Buffer.alloc(0), 'service.api-key.hash.v1', 32),
    );
    expect(hash).toEqual(
      Uint8Array.from(createHmac('sha256', derived).update('svc_agt_example').digest()),
    );
    expect(hash).not.toEqual(
      Uint8Array.from(createHmac('sha256', secret).update('svc_agt_example').digest()),
    );
  });

  it('answers under each pepper, newest first, so that a key of the older one is still found', () => {
    const [older, newer] = [pepper(), pepper()];
    const before = new HmacApiKeyHasher([older]);
    const after = new HmacApiKeyHasher([newer, older]);
    expect(after.hashes('key')).toEqual([
      new HmacApiKeyHasher([newer]).hashes('key')[0],
      before.hashes('key')[0],
    ]);
  });

  it('compares MACs by value, and takes another length as another MAC', () => {
    const hasher = new HmacApiKeyHasher([pepper()]);
    const mac = hasher.hashes('row')[0]!;
    expect(hasher.sameMac(mac, Uint8Array.from(mac))).toBe(true);
    expect(hasher.sameMac(mac, hasher.hashes('other row')[0]!)).toBe(false);
    expect(hasher.sameMac(mac, mac.subarray(0, 31))).toBe(false);
    expect(hasher.sameMac(new Uint8Array(0), mac)).toBe(false);
  });

  it('gives 32 bytes that do not recur', () => {
    const hasher = new HmacApiKeyHasher([pepper()]);
    const seen = new Set(
      Array.from({ length: 1000 }, () => Buffer.from(hasher.random()).toString('hex')),
    );
    expect(seen.size).toBe(1000);
    expect(hasher.random()).toHaveLength(32);
  });

  it('does not start without a pepper', () => {
    expect(() => new HmacApiKeyHasher([])).toThrow();
  });
});

describe('The written form of a key', () => {
  const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const value = (text: string): bigint =>
    [...text].reduce((sum, char) => sum * 62n + BigInt(BASE62.indexOf(char)), 0n);

  it.each([
    ['agent', 'agt'],
    ['admin', 'adm'],
    ['platform', 'plt'],
  ] as const)(
    "of an %s key is svc_%s_, 43 characters for 256 bits and 6 of zlib's CRC-32",
    (role, mark) => {
      for (const random of [new Uint8Array(32), new Uint8Array(32).fill(255), pepper(), pepper()]) {
        const key = formatApiKey(role, random);
        expect(key).toMatch(new RegExp(`^svc_${mark}_[0-9A-Za-z]{49}$`));
        expect(value(key.slice(8, 51))).toBe(BigInt(`0x${Buffer.from(random).toString('hex')}`));
        expect(value(key.slice(51))).toBe(BigInt(crc32(key.slice(0, 51))));
        expect(looksLikeApiKey(key)).toBe(true);
      }
    },
  );

  it('is refused with any one character changed', () => {
    const key = formatApiKey('agent', pepper());
    for (let i = 0; i < key.length; i++) {
      const other = key[i] === 'x' ? 'y' : 'x';
      expect(looksLikeApiKey(key.slice(0, i) + other + key.slice(i + 1)), `character ${i}`).toBe(
        false,
      );
    }
  });

  it.each(['', 'svc_agt_', 'Bearer svc_agt_x', 'svc_xyz_'.padEnd(57, '0')])(
    'is refused: %j',
    (text) => {
      expect(looksLikeApiKey(text)).toBe(false);
      expect(looksLikeApiKey(`${formatApiKey('agent', pepper())}${text || ' '}`)).toBe(false);
    },
  );
});
