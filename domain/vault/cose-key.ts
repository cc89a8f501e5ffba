import { ed25519 } from '@noble/curves/ed25519.js';
import { encodeCbor, type CborKey, type CborValue } from '../kernel/deterministic-cbor.ts';
import { bytesEqual, sha256, toHex } from '../kernel/digest.ts';
import { ALGORITHMS, type VaultAlgorithm } from './algorithm.ts';
import { isP256Point } from './p256-point.ts';

/** A public key as this service knows it: its algorithm and its raw form (32 bytes, or 65-byte SEC1 for P-256). */
export interface PublicKey {
  readonly algorithm: VaultAlgorithm;
  readonly raw: Uint8Array;
}

/** A public key that must not be trusted, whatever it signs. */
export class KeyError extends Error {
  override readonly name = 'KeyError';
}

// SubjectPublicKeyInfo (RFC 5280, RFC 8410, RFC 5480) of these two algorithms is a fixed prefix and the raw key.
const SPKI_PREFIX = {
  Ed25519: Uint8Array.of(0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00),
  ES256: Uint8Array.of(
    0x30,
    0x59,
    0x30,
    0x13,
    0x06,
    0x07,
    0x2a,
    0x86,
    0x48,
    0xce,
    0x3d,
    0x02,
    0x01,
    0x06,
    0x08,
    0x2a,
    0x86,
    0x48,
    0xce,
    0x3d,
    0x03,
    0x01,
    0x07,
    0x03,
    0x42,
    0x00,
  ),
} as const satisfies Record<VaultAlgorithm, Uint8Array>;

/** @throws KeyError where the bytes are not the SPKI of an acceptable Ed25519 or P-256 key. */
export const publicKeyFromSpki = (spki: Uint8Array): PublicKey => {
  for (const algorithm of ['Ed25519', 'ES256'] as const) {
    const prefix = SPKI_PREFIX[algorithm];
    if (spki.length > prefix.length && bytesEqual(spki.subarray(0, prefix.length), prefix)) {
      const key = { algorithm, raw: spki.slice(prefix.length) };
      assertAcceptable(key);
      return key;
    }
  }
  throw new KeyError('not the SubjectPublicKeyInfo of an Ed25519 or P-256 key');
};

export const spkiOf = (key: PublicKey): Uint8Array => {
  const prefix = SPKI_PREFIX[key.algorithm];
  const spki = new Uint8Array(prefix.length + key.raw.length);
  spki.set(prefix);
  spki.set(key.raw, prefix.length);
  return spki;
};

/**
 * Refuses Ed25519 points that are not canonical, and all but those of the prime-order group: under a point of small order
 * one signature fits many messages, and of one with such a part two libraries say different things. Refuses P-256 points
 * that are off the curve or compressed.
 *
 * @throws KeyError
 */
export const assertAcceptable = (key: PublicKey): void => {
  const name = `${key.algorithm}:${toHex(key.raw)}`;
  if (accepted.has(name)) return;
  try {
    if (key.algorithm === 'Ed25519') {
      // zip215 = false: RFC 8032 decoding, which refuses a y at or above the field prime.
      const point = ed25519.Point.fromBytes(key.raw, false);
      if (point.isSmallOrder()) throw new KeyError('an Ed25519 point of small order');
      if (!point.isTorsionFree()) throw new KeyError('an Ed25519 point of mixed order');
    } else {
      if (key.raw.length !== 65) throw new KeyError('a P-256 point must be uncompressed, 65 bytes');
      if (!isP256Point(key.raw)) throw new KeyError('not a point of P-256');
    }
  } catch (cause) {
    throw cause instanceof KeyError
      ? cause
      : new KeyError('not a valid point of its curve', { cause });
  }
  // The order of a point takes a multiplication, and a key is looked at on each call that brings it.
  if (accepted.size >= MAX_ACCEPTED) accepted.clear();
  accepted.add(name);
};

const MAX_ACCEPTED = 1_024;
const accepted = new Set<string>();

/** COSE_Key of a public key (RFC 9053 section 7), with or without the members that are not part of its identity. */
export const coseKeyOf = (key: PublicKey): Map<CborKey, CborValue> =>
  new Map<CborKey, CborValue>([...identityMembers(key), [3, ALGORITHMS[key.algorithm].cose]]);

const identityMembers = (key: PublicKey): readonly (readonly [CborKey, CborValue])[] =>
  key.algorithm === 'Ed25519'
    ? [
        [1, 1],
        [-1, 6],
        [-2, key.raw],
      ]
    : [
        [1, 2],
        [-1, 1],
        [-2, key.raw.slice(1, 33)],
        [-3, key.raw.slice(33)],
      ];

/** RFC 9679 section 3: SHA-256 over the deterministic encoding of the required members only. */
export const coseKeyThumbprint = (key: PublicKey): Uint8Array =>
  sha256(encodeCbor(new Map(identityMembers(key))));

/** The keyId of the service: the first 32 hex characters of the thumbprint. */
export const keyIdOf = (key: PublicKey): string => toHex(coseKeyThumbprint(key)).slice(0, 32);

/** What an operator writes down and an auditor pins: SHA-256 of the SPKI, lowercase hex. */
export const fingerprintOf = (key: PublicKey): string => toHex(sha256(spkiOf(key)));
