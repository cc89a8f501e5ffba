import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { canonicalJsonBytes, type JsonValue } from './canonical-json.ts';

/** SHA-256 (FIPS 180-4), 32 bytes. Pure JavaScript, so that the verifier runs anywhere unchanged. */
export const sha256 = (bytes: Uint8Array): Uint8Array => nobleSha256(bytes);

export const toHex = (bytes: Uint8Array): string => bytesToHex(bytes);

/** @throws RangeError on an odd length or a character outside 0-9a-f. */
export const fromHex = (hex: string): Uint8Array => hexToBytes(hex);

/** Lowercase hex SHA-256: the form of every hash on the wire. */
export const sha256Hex = (bytes: Uint8Array): string => bytesToHex(nobleSha256(bytes));

/** criteriaHash, evidenceHash, manifestDigest: SHA-256 over the RFC 8785 form, lowercase hex. */
export const hashJson = (value: JsonValue): string => sha256Hex(canonicalJsonBytes(value));

/** messageHash: SHA-256 over the UTF-8 of a text, lowercase hex. */
export const hashText = (text: string): string => sha256Hex(new TextEncoder().encode(text));

export const bytesEqual = (a: Uint8Array, b: Uint8Array): boolean => {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
};
