import type { Timestamp } from './timestamp.ts';

/** What a token says, or why it says nothing. */
export type TimestampReading =
  | { readonly stamp: Timestamp }
  | {
      /** `invalid`: nobody who is trusted signed it. `unsupported`: this runtime does not know its algorithms. */
      readonly fault: 'invalid' | 'unsupported';
      readonly detail: string;
    };

/** Reads RFC 3161 time-stamp tokens, as far as they can be believed. What they stamp is compared by the caller. */
export interface TimestampChecker {
  /**
   * Any bytes give a reading: this rejects only where the checker itself is at fault.
   *
   * @param token TimeStampToken, DER.
   */
  read(token: Uint8Array): Promise<TimestampReading>;
}

/** What was given as the roots of authorities are no certificates. */
export class TimestampRootsError extends Error {
  override readonly name = 'TimestampRootsError';
}
