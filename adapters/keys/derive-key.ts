import { hkdfSync } from 'node:crypto';

/**
 * A key of 32 bytes for one purpose (RFC 5869), so that what is made for one can never pass for
 * another.
 */
export const deriveKey = (secret: Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, new Uint8Array(0), purpose, 32));
