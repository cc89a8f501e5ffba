/**
 * Signs the cursors of listings, so that a caller can continue a listing but not make a cursor up.
 */
export interface CursorMac {
  /**
   * At least 16 bytes that nobody makes without the key, and always the same for the same text.
   */
  mac(input: string): Uint8Array;
}
