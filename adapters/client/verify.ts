import { decodeUtf8Strict, parseStrictJson } from '../../domain/kernel/strict-json.ts';
import { fingerprintFrom } from '../../domain/verification/keys/fingerprint.ts';
import { readKeyListing } from '../../domain/verification/keys/key-listing.ts';
import type { VerificationReport } from '../../domain/verification/report/report.ts';
import { trustOf, type TrustInput } from '../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../domain/verification/verify-file.ts';

export type { Failure } from '../../domain/verification/report/failure.ts';
export type { VerificationReport } from '../../domain/verification/report/report.ts';

export interface VerifyRequest {
  /** SHA-256 of the signing key's SPKI, obtained by another way than the file, in hex or as tools write it; or several, each of which must stand in the file's succession of keys. */
  readonly fingerprint?: string | readonly string[];
  /** A document of verification keys that was kept, as bytes. */
  readonly keys?: Uint8Array;
  /** Signed statements that somebody kept, as files: the `signedStatement` of an answer. Each is held against the export. */
  readonly kept?: readonly (Uint8Array | string)[];
  /** Attestations whose receipts are looked at beside the export. */
  readonly receipts?: readonly Uint8Array[];
  /** Tells what the file is about, in at most so many steps. */
  readonly story?: { readonly maxSteps: number };
}

/**
 * Verifies a file of a notary offline, by the verifier that auditors use: an audit export, an attestation, a Sigstore
 * bundle or a signed statement. Any input ends as a report; nothing is fetched. Without a key from elsewhere the verdict
 * is never `valid`.
 *
 * @param file the bytes as they came
 * @throws TypeError where what is to be trusted is no fingerprint or no document of keys
 */
export const verify = (
  file: Uint8Array | string,
  { fingerprint = [], keys, kept, receipts, story }: VerifyRequest,
): Promise<VerificationReport> =>
  verifyFile(file, {
    trust: trustOf({
      kind: 'all',
      of: [...[fingerprint].flat().map(pinOf), ...(keys ? [listingIn(keys)] : [])],
    }),
    now: new Date().toISOString(),
    ...(kept ? { kept } : {}),
    ...(receipts ? { receipts } : {}),
    ...(story ? { story } : {}),
  });

const pinOf = (text: string): TrustInput => {
  const sha256Hex = fingerprintFrom(text);
  if (sha256Hex === null)
    throw new TypeError('this is no SHA-256 fingerprint: it has 64 hex characters');
  return { kind: 'fingerprint', sha256Hex };
};

const listingIn = (keys: Uint8Array): TrustInput => {
  try {
    const input = readKeyListing(parseStrictJson(decodeUtf8Strict(keys)));
    trustOf(input);
    return input;
  } catch (cause) {
    throw new TypeError('this is no document of verification keys', { cause });
  }
};
