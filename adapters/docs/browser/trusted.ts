import { decodeUtf8Strict, parseStrictJson } from '../../../domain/kernel/strict-json.ts';
import { readKeyListing } from '../../../domain/verification/keys/key-listing.ts';
import { trustOf, type Trust, type TrustInput } from '../../../domain/verification/keys/trust.ts';
import { FingerprintError, fingerprintsIn } from './fingerprints-in.ts';

/** The ids of the fields in which a reader gives keys. */
export type KeyField = 'pin' | 'with-pin' | 'keys';

/** A field does not hold a key. The message is for the reader, and belongs next to the field. */
export class PinError extends Error {
  override readonly name = 'PinError';

  constructor(
    readonly field: KeyField,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * What the reader trusts: every fingerprint, and the document of keys. Each has to stand in the one succession of keys
 * of the file.
 *
 * @param pins fingerprints, as typed
 * @param field the field with the fingerprints, for the error
 * @throws PinError
 */
export const trusted = (
  pins: string,
  keys: Uint8Array | null,
  field: 'pin' | 'with-pin' = 'pin',
): Trust =>
  trustOf({ kind: 'all', of: [...fingerprints(pins, field), ...(keys ? [listing(keys)] : [])] });

const fingerprints = (pins: string, field: KeyField): readonly TrustInput[] => {
  try {
    return fingerprintsIn(pins).map((sha256Hex) => ({ kind: 'fingerprint', sha256Hex }));
  } catch (cause) {
    if (!(cause instanceof FingerprintError)) throw cause;
    throw new PinError(field, cause.message, { cause });
  }
};

const listing = (keys: Uint8Array): TrustInput => {
  try {
    const input = readKeyListing(parseStrictJson(decodeUtf8Strict(keys)));
    trustOf(input);
    return input;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new PinError('keys', `This file is not a document of verification keys: ${why}.`, {
      cause,
    });
  }
};
