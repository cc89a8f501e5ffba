import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { HmacCursorMac } from '../../../adapters/keys/hmac-cursor-mac.ts';

// Contract of application/call/cursor-mac.port.ts

const secret = (): Uint8Array => Uint8Array.from(randomBytes(32));

describe('HmacCursorMac', () => {
  it('is HMAC-SHA256 under a key derived by HKDF, never under the secret itself', () => {
    const key = secret();
    const derived = Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), 'service.cursor.v1', 32));
    const mac = Buffer.from(new HmacCursorMac(key).mac('text'));
    expect(mac).toEqual(createHmac('sha256', derived).update('text').digest());
    expect(mac).not.toEqual(createHmac('sha256', key).update('text').digest());
  });

  it('is the same for the same text, under one key, and has at least 16 bytes', () => {
    const key = secret();
    const mac = new HmacCursorMac(key).mac('text');
    expect(new HmacCursorMac(key).mac('text')).toEqual(mac);
    expect(new HmacCursorMac(key).mac('texts')).not.toEqual(mac);
    expect(new HmacCursorMac(secret()).mac('text')).not.toEqual(mac);
    expect(mac.length).toBeGreaterThanOrEqual(16);
  });
});
