import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiKeyHasher } from '../../domain/identity/api-key-hasher.port.ts';
import { deriveKey } from './derive-key.ts';

/**
 * HMAC-SHA256 (RFC 2104) under a key that HKDF (RFC 5869) derives from the pepper.
 */
export class HmacApiKeyHasher implements ApiKeyHasher {
  private readonly hashKeys: readonly Buffer[];

  /** @param peppers API_KEY_PEPPER, newest first, each at least 32 bytes. */
  constructor(peppers: readonly Uint8Array[]) {
    if (peppers.length === 0) throw new Error('at least one pepper is needed');
    this.hashKeys = peppers.map((pepper) => deriveKey(pepper, 'service.api-key.hash.v1'));
  }

  random(): Uint8Array {
    return Uint8Array.from(randomBytes(32));
  }

  hashes(apiKey: string): readonly Uint8Array[] {
    return this.hashKeys.map((key) => hmac(key, apiKey));
  }

  sameMac(a: Uint8Array, b: Uint8Array): boolean {
    return a.length === b.length && timingSafeEqual(a, b);
  }
}

const hmac = (key: Buffer, text: string): Uint8Array =>
  new Uint8Array(createHmac('sha256', key).update(text, 'utf8').digest());
