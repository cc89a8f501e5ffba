import type { CursorMac } from '../../application/call/cursor-mac.port.ts';
import { deriveKey } from './derive-key.ts';
import { HmacSha256 } from './hmac-sha256.ts';

/**
 * HMAC-SHA256 (RFC 2104) under a key of its own, so that no other MAC of the service can pass for a
 * cursor's.
 */
export class HmacCursorMac implements CursorMac {
  private readonly hmac: HmacSha256;

  /** @param secret a SECRETS_KEY. */
  constructor(secret: Uint8Array) {
    this.hmac = new HmacSha256(deriveKey(secret, 'service.cursor.v1'));
  }

  mac(input: string): Uint8Array {
    return this.hmac.of(input);
  }
}
