import { decodeUtf8Strict, parseStrictJson } from '../../../domain/kernel/strict-json.ts';
import { fingerprintFrom } from '../../../domain/verification/fingerprint.ts';
import { readKeyListing } from '../../../domain/verification/key-listing.ts';
import { trustOf, type Trust } from '../../../domain/verification/trust.ts';

/** What was given as trusted is no key. The message is for whoever gave it. */
export class PinError extends Error {
  override readonly name = 'PinError';
}

/**
 * What the reader trusts: a document of keys where there is one, else the fingerprint, else nothing.
 *
 * @throws PinError
 */
export const trusted = (pin: string, keys: Uint8Array | null): Trust => {
  if (keys) {
    try {
      return trustOf(readKeyListing(parseStrictJson(decodeUtf8Strict(keys))));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new PinError(`The file of keys is no document of verification keys: ${why}.`, {
        cause,
      });
    }
  }
  if (pin.trim() === '') return trustOf({ kind: 'none' });
  const sha256Hex = fingerprintFrom(pin);
  if (sha256Hex === null)
    throw new PinError('This is no SHA-256 fingerprint: it has 64 hex characters.');
  return trustOf({ kind: 'fingerprint', sha256Hex });
};
