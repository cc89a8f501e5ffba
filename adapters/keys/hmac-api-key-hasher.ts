import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiKeyHasher } from '../../domain/identity/api-key-hasher.port.ts';
import { deriveKey } from './derive-key.ts';
import { HmacSha256 } from './hmac-sha256.ts';

/**
 * HMAC-SHA256 (RFC 2104) under a key that HKDF (RFC 5869) derives from the pepper.
 */
export class HmacApiKeyHasher implements ApiKeyHasher {
  private readonly macs: readonly HmacSha256[];

  /** @param peppers API_KEY_PEPPER, newest first, each at least 32 bytes. */
  constructor(peppers: readonly Uint8Array[]) {
    if (peppers.length === 0) throw new Error('at least one pepper is needed');
    this.macs = peppers.map(
      (pepper) => new HmacSha256(deriveKey(pepper, 'service.api-key.hash.v1')),
    );
  }

  random(): Uint8Array {
    return Uint8Array.from(randomBytes(32));
  }

  hashes(apiKey: string): readonly Uint8Array[] {
    return this.macs.map((mac) => mac.of(apiKey));
  }

  sameMac(a: Uint8Array, b: Uint8Array): boolean {
    return a.length === b.length && timingSafeEqual(a, b);
  }
}
