import { p256 } from '@noble/curves/nist.js';
import type { AlgorithmRow } from '../../domain/vault/algorithm.ts';

const ORDER = p256.Point.Fn.ORDER;
const HALF = ORDER >> 1n;

/**
 * Converts a raw signature to the form that `Signer` promises. For ES256 both (r, s) and (r, n - s)
 * verify. Keeping the lower s leaves one valid signature, so a third party cannot change the bytes
 * of an entry.
 *
 * @param signature r‖s for ES256 (IEEE P1363), RFC 8032 for Ed25519.
 * @throws Error on another length, from a provider that answers in DER or with nothing.
 */
export const coseSignature = (row: AlgorithmRow, signature: Uint8Array): Uint8Array => {
  if (signature.length !== row.signatureLength)
    throw new Error(
      `${row.name}: a signature of ${signature.length} bytes instead of ${row.signatureLength}`,
    );
  if (row.name !== 'ES256' || signature[32]! < 0x7f) return signature; // n / 2 begins with 0x7fff
  const s = BigInt(
    `0x${Buffer.from(signature.buffer, signature.byteOffset + 32, 32).toString('hex')}`,
  );
  if (s <= HALF) return signature;
  const low = Uint8Array.from(signature);
  low.set(Buffer.from((ORDER - s).toString(16).padStart(64, '0'), 'hex'), 32);
  return low;
};
