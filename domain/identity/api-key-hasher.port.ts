/**
 * Hashes API keys under the pepper, and makes the MACs of the rows that decide who gets in: those
 * of API keys and of trusted issuers. The random bytes of new keys come from here too.
 */
export interface ApiKeyHasher {
  /** 32 fresh random bytes. */
  random(): Uint8Array;
  /** HMAC-SHA256 under each pepper, newest first; the first one is used for new keys. */
  hashes(apiKey: string): readonly Uint8Array[];
  /** HMAC-SHA256 of a row under the newest pepper. */
  mac(input: string): Uint8Array;
  /**
   * The same under each pepper, newest first: a row carries the MAC of the pepper it was written
   * under.
   */
  macs(input: string): readonly Uint8Array[];
  /** In constant time. */
  sameMac(a: Uint8Array, b: Uint8Array): boolean;
}
