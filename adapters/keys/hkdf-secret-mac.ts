import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretMac, SecretName } from '../../application/operations/secret-checks.port.ts';
import { deriveKey } from './derive-key.ts';

/**
 * HMAC-SHA256 (RFC 2104) of the salt, under a key that HKDF (RFC 5869) derives for this alone. So a
 * check value says nothing of what other keys of the same secret make.
 */
export class HkdfSecretMac implements SecretMac {
  salt(): Uint8Array {
    return Uint8Array.from(randomBytes(32));
  }

  value(name: SecretName, secret: Uint8Array, salt: Uint8Array): Uint8Array {
    const key = deriveKey(secret, `service.secret-check.v1.${name}`);
    return Uint8Array.from(createHmac('sha256', key).update(salt).digest());
  }

  isSame(a: Uint8Array, b: Uint8Array): boolean {
    return a.length === b.length && timingSafeEqual(a, b);
  }
}
