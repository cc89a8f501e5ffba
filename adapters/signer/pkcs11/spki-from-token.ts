import type { VaultAlgorithm } from '../../../domain/vault/algorithm.ts';
import { HeldKeyError } from '../../../domain/vault/held-key.port.ts';

/** CKA_EC_PARAMS, DER: an object identifier, or the name of a curve as some tokens write it. */
const PARAMS: Readonly<Record<VaultAlgorithm, readonly string[]>> = {
  ES256: ['06082a8648ce3d030107'],
  Ed25519: ['06032b6570', `130c${Buffer.from('edwards25519').toString('hex')}`],
};

/** What stands before the public key in an SPKI (RFC 5480 section 2, RFC 8410 section 4). */
const PREFIX: Readonly<Record<VaultAlgorithm, { readonly der: string; readonly length: number }>> =
  {
    ES256: { der: '3059301306072a8648ce3d020106082a8648ce3d030107034200', length: 65 },
    Ed25519: { der: '302a300506032b6570032100', length: 32 },
  };

const OCTET_STRING = 0x04;

/**
 * The public key of a token as SubjectPublicKeyInfo.
 *
 * @param point CKA_EC_POINT: the point as an OCTET STRING, as PKCS#11 has it, or bare, as some tokens give it.
 * @throws HeldKeyError where it is a key of another curve.
 */
export const spkiFromToken = (
  algorithm: VaultAlgorithm,
  params: Uint8Array,
  point: Uint8Array,
  key: string,
): Uint8Array => {
  const { der, length } = PREFIX[algorithm];
  const isWrapped = point.length === length + 2 && point[0] === OCTET_STRING && point[1] === length;
  const raw = isWrapped ? point.subarray(2) : point;
  if (!PARAMS[algorithm].includes(Buffer.from(params).toString('hex')) || raw.length !== length)
    throw new HeldKeyError(`The key ${key} is neither a P-256 nor an Ed25519 key.`);
  return new Uint8Array(Buffer.concat([Buffer.from(der, 'hex'), raw]));
};
