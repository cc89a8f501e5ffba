import { CborError, decodeCbor } from '../kernel/deterministic-cbor.ts';
import { isObject, type JsonObject, type JsonValue } from '../kernel/canonical-json.ts';
import { ALGORITHMS } from './algorithm.ts';
import type { PublicKey } from './cose-key.ts';
import { decodeProtected, decodeSign1, sigStructure, type ProtectedHeader } from './cose-sign1.ts';
import { holds } from './signatures.ts';
import { CANONICALIZATIONS } from './statement.ts';

/** A key with its WebCrypto form, imported once. */
export interface VerificationKey extends PublicKey {
  readonly cryptoKey: CryptoKey;
}

/** Finds a public key of this hub. It may have to look for one that another process activated. */
export type KeyLookup = (
  keyId: string,
) => VerificationKey | undefined | Promise<VerificationKey | undefined>;

type CryptoKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

export const importVerificationKey = async (key: PublicKey): Promise<VerificationKey> => ({
  ...key,
  cryptoKey: await crypto.subtle.importKey(
    'raw',
    key.raw,
    ALGORITHMS[key.algorithm].importParams,
    false,
    ['verify'],
  ),
});

export interface OpenedEntry {
  readonly header: ProtectedHeader;
  readonly predicate: JsonObject;
}

/**
 * Verifies one signed structure of this hub and reads it; null if it does not verify under a known key with the
 * algorithm of that key. The service trusts its own form here; the checks of an auditor are in `domain/verification`.
 */
export const openEntry = async (
  coseSign1: Uint8Array,
  keys: KeyLookup,
): Promise<OpenedEntry | null> => {
  try {
    const sign1 = decodeSign1(coseSign1);
    const header = decodeProtected(sign1.protectedBytes);
    const key = await keys(header.kid);
    if (!key || sign1.unprotected.size > 0 || ALGORITHMS[key.algorithm].cose !== header.alg)
      return null;
    const signed = sigStructure(sign1.protectedBytes, sign1.payload);
    const valid = await holds(key.algorithm, key.cryptoKey, sign1.signature, signed);
    return valid ? opened(header, sign1.payload) : null;
  } catch (error) {
    if (error instanceof CborError || error instanceof SyntaxError) return null;
    throw error;
  }
};

/**
 * Reads an entry without checking its signature: the caller knows that the entry is genuine, because a verified later
 * entry names its hash, or has its bytes verified elsewhere. Null if it cannot be read.
 */
export const readEntry = (coseSign1: Uint8Array): OpenedEntry | null => {
  try {
    const sign1 = decodeSign1(coseSign1);
    return opened(decodeProtected(sign1.protectedBytes), sign1.payload);
  } catch (error) {
    if (error instanceof CborError || error instanceof SyntaxError) return null;
    throw error;
  }
};

const opened = (header: ProtectedHeader, payload: Uint8Array): OpenedEntry | null => {
  const statement =
    header.contentType === CANONICALIZATIONS.cde.contentType
      ? plain(decodeCbor(payload))
      : (JSON.parse(new TextDecoder().decode(payload)) as JsonValue);
  const predicate = isObject(statement) ? statement['predicate'] : undefined;
  return isObject(predicate) ? { header, predicate } : null;
};

/** CBOR maps as plain objects; their keys are text in a statement. */
const plain = (value: unknown): JsonValue => {
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, item]) => [String(key), plain(item)]));
  return Array.isArray(value) ? value.map(plain) : (value as JsonValue);
};
