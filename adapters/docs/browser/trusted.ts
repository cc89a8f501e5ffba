import { decodeUtf8Strict, parseStrictJson } from '../../../domain/kernel/strict-json.ts';
import { fingerprintFrom } from '../../../domain/verification/fingerprint.ts';
import { readKeyListing } from '../../../domain/verification/key-listing.ts';
import { trustOf, type Trust, type TrustInput } from '../../../domain/verification/trust.ts';

/** What was given as trusted is no key. The message is for whoever gave it. */
export class PinError extends Error {
  override readonly name = 'PinError';
}

/**
 * What the reader trusts: every fingerprint, and the document of keys. Each has to stand in the one succession of keys
 * of the file.
 *
 * @param pins fingerprints, with spaces or commas between them
 * @throws PinError
 */
export const trusted = (pins: string, keys: Uint8Array | null): Trust =>
  trustOf({
    kind: 'all',
    of: [
      ...pins
        .split(/[\s,;]+/)
        .filter((pin) => pin !== '')
        .map(fingerprint),
      ...(keys ? [listing(keys)] : []),
    ],
  });

const fingerprint = (pin: string): TrustInput => {
  const sha256Hex = fingerprintFrom(pin);
  if (sha256Hex === null)
    throw new PinError('This is no SHA-256 fingerprint: it has 64 hex characters.');
  return { kind: 'fingerprint', sha256Hex };
};

const listing = (keys: Uint8Array): TrustInput => {
  try {
    const input = readKeyListing(parseStrictJson(decodeUtf8Strict(keys)));
    trustOf(input);
    return input;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new PinError(`The file of keys is no document of verification keys: ${why}.`, { cause });
  }
};
