import type { KeyObject } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';

/** ECDSA over a hash that was made elsewhere, which node:crypto does not offer; DER, with an s of either half. */
export const derWithDigest = (key: KeyObject, digest: Uint8Array): Buffer => {
  const secret = Buffer.from(String(key.export({ format: 'jwk' }).d), 'base64url');
  return Buffer.from(
    p256.sign(digest, secret, { prehash: false, lowS: false, format: 'der', extraEntropy: true }),
  );
};
