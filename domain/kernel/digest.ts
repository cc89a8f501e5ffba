import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { canonicalJsonBytes, type JsonValue } from './canonical-json.ts';

/** SHA-256 (FIPS 180-4), 32 bytes. */
export const sha256 = (bytes: Uint8Array): Uint8Array => digestOf(bytes);

/** An implementation of SHA-256: it gives 32 bytes of its own, and leaves its input as it is. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** Pure JavaScript unless somebody brings another one, so that the verifier runs anywhere unchanged. */
let digestOf: Sha256 = nobleSha256;

/**
 * Hashes with another implementation from here on: that of the runtime, which is about ten times faster. The two give
 * the same bytes, so it does not matter who was asked when.
 *
 * @throws TypeError where it does not give the published digests. Nothing is changed then.
 */
export const hashWith = (other: Sha256): void => {
  for (const text of KNOWN_ANSWERS) {
    const bytes = new TextEncoder().encode(text);
    if (!bytesEqual(other(bytes), nobleSha256(bytes)))
      throw new TypeError('this is not an implementation of SHA-256');
  }
  digestOf = other;
};

/** The examples of FIPS 180-4, and one of several blocks. */
const KNOWN_ANSWERS = [
  '',
  'abc',
  'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
  'a'.repeat(1_000),
];

export const toHex = (bytes: Uint8Array): string => bytesToHex(bytes);

/** @throws RangeError on an odd length or a character outside 0-9a-f. */
export const fromHex = (hex: string): Uint8Array => hexToBytes(hex);

/** Lowercase hex SHA-256: the form of every hash on the wire. */
export const sha256Hex = (bytes: Uint8Array): string => bytesToHex(digestOf(bytes));

/** criteriaHash, evidenceHash, manifestDigest: SHA-256 over the RFC 8785 form, lowercase hex. */
export const hashJson = (value: JsonValue): string => sha256Hex(canonicalJsonBytes(value));

/** messageHash: SHA-256 over the UTF-8 of a text, lowercase hex. */
export const hashText = (text: string): string => sha256Hex(new TextEncoder().encode(text));

export const bytesEqual = (a: Uint8Array, b: Uint8Array): boolean => {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
};

/** SHA-256 of bytes that come in parts. */
export interface RunningSha256 {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
  /** Goes on from here beside this one. */
  clone(): RunningSha256;
}

export const runningSha256 = (): RunningSha256 => nobleSha256.create();
