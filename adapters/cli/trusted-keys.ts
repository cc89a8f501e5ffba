import { createReadStream } from 'node:fs';
import type { JsonValue } from '../../domain/kernel/canonical-json.ts';
import {
  decodeUtf8Strict,
  parseStrictJson,
  StrictJsonError,
} from '../../domain/kernel/strict-json.ts';
import { KeyError } from '../../domain/vault/cose-key.ts';
import { KeyListingError, readKeyListing } from '../../domain/verification/key-listing.ts';
import { trustOf, type Trust } from '../../domain/verification/trust.ts';
import { fingerprintFrom, isPrefixed } from './fingerprint.ts';
import { InputError, reasonOf } from './input-error.ts';
import { collect } from './read-input.ts';

export interface TrustedKeys {
  readonly trust: Trust;
  /** Where the keys come from, in words. */
  readonly source: string;
}

/**
 * @param keys path or http(s) URL of a verification-keys document, or the SHA-256 of one SPKI
 * @throws InputError
 */
export const trustedKeys = async (
  keys: string | undefined,
  trustEmbedded = false,
): Promise<TrustedKeys> => {
  if (keys === undefined)
    return {
      trust: trustOf({ kind: 'none' }),
      source: trustEmbedded ? 'the keys in the file itself (--trust-embedded)' : 'none given',
    };
  const fingerprint = fingerprintFrom(keys);
  if (fingerprint !== null)
    return {
      trust: trustOf({ kind: 'fingerprint', sha256Hex: fingerprint }),
      source: `the key with the fingerprint sha256:${fingerprint}`,
    };
  if (isPrefixed(keys))
    throw new InputError(
      `--keys ${keys} is no SHA-256 fingerprint: after the prefix stand 64 hex characters, with or without colons, or 43 of base64`,
    );
  const input = keySet(keys, await (/^https?:\/\//i.test(keys) ? fetchKeys(keys) : readKeys(keys)));
  try {
    return {
      trust: trustOf(input),
      source: `${input.spki.length === 1 ? 'the key' : `the ${input.spki.length} keys`} at ${keys}`,
    };
  } catch (cause) {
    if (cause instanceof KeyError)
      throw new InputError(`a key at ${keys} must not be trusted: ${cause.message}`, { cause });
    throw cause;
  }
};

const FETCH_TIMEOUT_MS = 10_000;
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
  try {
    const answer = await fetch(url, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    });
    if (!answer.ok) throw new Error(`the answer was ${answer.status}`);
    return answer.body ? await collect(answer.body, MAX_KEYS_LENGTH) : new Uint8Array();
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
