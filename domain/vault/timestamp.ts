import { encodeCbor } from '../kernel/deterministic-cbor.ts';
import { bytesEqual, sha256 } from '../kernel/digest.ts';
import { decodeSign1 } from './cose-sign1.ts';

/** What an RFC 3161 time-stamp token says, once its signature holds. */
export interface Timestamp {
  readonly imprint: {
    /** OID of the hash, dotted. */
    readonly algorithm: string;
    readonly hash: Uint8Array;
  };
  /** When the authority saw the imprint: ISO 8601 with milliseconds. */
  readonly genTime: string;
  /** The subject of the certificate that signed, as one line. */
  readonly authority: string;
}

export const SHA256_OID = '2.16.840.1.101.3.4.2.1';

/** How far the clocks of the hub and of an authority may be apart. */
export const TIMESTAMP_TOLERANCE_MS = 300_000;

/**
 * What a token stamps, `3161-ctt` of RFC 9921: SHA-256 over the signature of the structure as a CBOR byte string, its head
 * included.
 *
 * @throws CborError where the bytes are no COSE_Sign1.
 */
export const timestampImprint = (coseSign1: Uint8Array): Uint8Array =>
  sha256(encodeCbor(decodeSign1(coseSign1).signature));

/**
 * Why a time stamp is none of this checkpoint; null where it is one. A token that is newer by any time is: an authority that
 * was away is asked again later.
 *
 * @param at of the checkpoint, ISO 8601 with milliseconds.
 */
export const timestampFault = (
  { imprint, genTime }: Timestamp,
  coseSign1: Uint8Array,
  at: string,
): string | null => {
  if (imprint.algorithm !== SHA256_OID)
    return `the time stamp is over a hash of the kind ${imprint.algorithm}, and not over SHA-256`;
  if (!bytesEqual(imprint.hash, timestampImprint(coseSign1)))
    return 'the time stamp is one of another signature';
  if (Date.parse(genTime) < Date.parse(at) - TIMESTAMP_TOLERANCE_MS)
    return `the time stamp is of ${genTime}, and the checkpoint says that it was made after that, at ${at}`;
  return null;
};
