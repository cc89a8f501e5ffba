import { createReadStream } from 'node:fs';
import type { JsonValue } from '../../domain/kernel/canonical-json.ts';
import {
  decodeUtf8Strict,
  parseStrictJson,
  StrictJsonError,
} from '../../domain/kernel/strict-json.ts';
import { KeyError } from '../../domain/vault/cose-key.ts';
import { typOf } from '../../domain/vault/cose-sign1.ts';
import { parseStatement, UnreadableError } from '../../domain/vault/parsed-statement.ts';
import { KeyListingError, readKeyListing } from '../../domain/verification/keys/key-listing.ts';
import { trustOf, type Trust, type TrustInput } from '../../domain/verification/keys/trust.ts';
import { fingerprintFrom, isPrefixed } from '../../domain/verification/keys/fingerprint.ts';
import { fetchInput, isUrl } from './fetch-input.ts';
import { InputError, reasonOf } from './input-error.ts';
import { collect } from './read-input.ts';

export interface TrustedKeys {
  readonly trust: Trust;
  /** Where the keys come from, in words. */
  readonly source: string;
}

/**
 * What the auditor trusts, from all that is named: after a rotation the older pins are kept beside the newest.
 *
 * @param keys paths or URLs of verification-keys documents or of anchors, or SHA-256 fingerprints of one SPKI each
 * @throws InputError
 */
export const trustedKeys = async (
  keys: readonly string[] = [],
  trustEmbedded = false,
): Promise<TrustedKeys> => {
  if (keys.length === 0)
    return {
      trust: trustOf({ kind: 'none' }),
      source: trustEmbedded ? 'the keys in the file itself (--trust-embedded)' : 'none given',
    };
  const given = [];
  for (const name of keys) given.push(await trustInput(name));
  return {
    trust: trustOf({ kind: 'all', of: given.map(({ input }) => input) }),
    source: given.map(({ source }) => source).join(' and '),
  };
};

const trustInput = async (
  keys: string,
): Promise<{ readonly input: TrustInput; readonly source: string }> => {
  const fingerprint = fingerprintFrom(keys);
  if (fingerprint !== null)
    return {
      input: { kind: 'fingerprint', sha256Hex: fingerprint },
      source: `the key with the fingerprint sha256:${fingerprint}`,
    };
  if (isPrefixed(keys))
    throw new InputError(
      `--keys ${keys} is no SHA-256 fingerprint: after the prefix stand 64 hex characters, with or without colons, or 43 of base64`,
    );
  const bytes = await (isUrl(keys) ? fetchKeys(keys) : readKeys(keys));
  const signedBy = signerOfAnchor(bytes);
  if (signedBy !== null)
    return {
      input: { kind: 'keyId', keyId: signedBy },
      source: `the key ${signedBy}, which signed the anchor at ${keys}`,
    };
  const input = keySet(keys, bytes);
  try {
    trustOf(input);
  } catch (cause) {
    if (cause instanceof KeyError)
      throw new InputError(`a key at ${keys} must not be trusted: ${cause.message}`, { cause });
    throw cause;
  }
  const count = input.spki.length;
  return { input, source: `${count === 1 ? 'the key' : `the ${count} keys`} at ${keys}` };
};

/** The id of the key that signed a checkpoint; null for what is none. Whoever gives it as trust vouches for it. */
const signerOfAnchor = (bytes: Uint8Array): string | null => {
  try {
    const { header } = parseStatement(bytes);
    return header.typ === typOf('checkpoint') ? header.kid : null;
  } catch (error) {
    if (error instanceof UnreadableError) return null;
    throw error;
  }
};

const MAX_KEYS_LENGTH = 16 * 1024 * 1024;

const readKeys = async (path: string): Promise<Uint8Array> => {
  try {
    return await collect(createReadStream(path), MAX_KEYS_LENGTH);
  } catch (cause) {
    throw new InputError(
      `--keys ${path} is neither a readable file, a URL nor a SHA-256 fingerprint: ${reasonOf(cause)}`,
      { cause },
    );
  }
};

const fetchKeys = async (url: string): Promise<Uint8Array> => {
  const body = await fetchInput(url, 'application/json', null);
  try {
    return await collect(body, MAX_KEYS_LENGTH);
  } catch (cause) {
    throw new InputError(`the keys at ${url} cannot be fetched: ${reasonOf(cause)}`, { cause });
  }
};

const keySet = (source: string, bytes: Uint8Array): ReturnType<typeof readKeyListing> => {
  try {
    return readKeyListing(parseKeys(source, bytes));
  } catch (cause) {
    if (cause instanceof KeyListingError)
      throw new InputError(`${source} is no verification-keys document: ${cause.message}`, {
        cause,
      });
    throw cause;
  }
};

const parseKeys = (source: string, bytes: Uint8Array): JsonValue => {
  try {
    return parseStrictJson(decodeUtf8Strict(bytes));
  } catch (cause) {
    if (cause instanceof StrictJsonError)
      throw new InputError(`${source} is no JSON: ${cause.message}`, { cause });
    throw cause;
  }
};
