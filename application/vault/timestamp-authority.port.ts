import type { Timestamp } from '../../domain/vault/timestamp.ts';

export interface IssuedTimestamp {
  /** TimeStampToken, DER. */
  readonly token: Uint8Array;
  readonly stamp: Timestamp;
}

/** An RFC 3161 time-stamp authority. */
export interface TimestampAuthority {
  /**
   * Asks once. What comes back is a token over this imprint and for this question, whose signature holds under the
   * certificate in it; whom that certificate is trusted by is left to whoever verifies.
   *
   * @param imprint SHA-256, 32 bytes.
   * @param stopping gives the question up.
   * @throws TimestampError where there is no such token in time.
   */
  stamp(imprint: Uint8Array, stopping?: AbortSignal): Promise<IssuedTimestamp>;
}

/** The authority gave no token that can be kept; the message says why, for the operator. */
export class TimestampError extends Error {
  override readonly name = 'TimestampError';
}
