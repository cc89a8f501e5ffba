/**
 * Hashes API keys under the pepper. The random bytes of new keys come from here too.
 */
export interface ApiKeyHasher {
  /** 32 fresh random bytes. */
  random(): Uint8Array;
  /** HMAC-SHA256 under each pepper, newest first; the first one is used for new keys. */
  hashes(apiKey: string): readonly Uint8Array[];
  /** In constant time. */
  sameMac(a: Uint8Array, b: Uint8Array): boolean;
}
