import { createHmac } from 'node:crypto';
import type { CursorMac } from '../../application/call/cursor-mac.port.ts';
import { deriveKey } from './derive-key.ts';

/**
 * HMAC-SHA256 (RFC 2104) under a key of its own, so that no other MAC of the service can pass for a
 * cursor's.
 */
export class HmacCursorMac implements CursorMac {
  private readonly key: Buffer;

  /** @param secret the newest SECRETS_KEY. */
  constructor(secret: Uint8Array) {
    this.key = deriveKey(secret, 'service.cursor.v1');
  }

  mac(input: string): Uint8Array {
    return createHmac('sha256', this.key).update(input).digest();
  }
}
