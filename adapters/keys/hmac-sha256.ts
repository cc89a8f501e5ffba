import { hash } from 'node:crypto';

/**
 * HMAC-SHA256 (RFC 2104) under one key, as two hashes of the runtime. Each call of the service makes one of a short text,
 * and the object that createHmac makes for it costs as much again as the hashes do.
 */
export class HmacSha256 {
  /** The key padded to a block and mixed with ipad and with opad. */
  private readonly innerKey: Uint8Array;
  private readonly outerKey: Uint8Array;

  /** @param key no longer than a block: a longer one would have to be hashed first. */
  constructor(key: Uint8Array) {
    if (key.length > BLOCK) throw new RangeError(`the key is longer than ${BLOCK} bytes`);
    this.innerKey = Uint8Array.from({ length: BLOCK }, (_, at) => (key[at] ?? 0) ^ 0x36);
    this.outerKey = Uint8Array.from({ length: BLOCK }, (_, at) => (key[at] ?? 0) ^ 0x5c);
  }

  /** Of the UTF-8 of the text; 32 bytes of their own. */
  of(text: string): Uint8Array {
    const inner = Buffer.allocUnsafe(BLOCK + Buffer.byteLength(text));
    inner.set(this.innerKey);
    inner.write(text, BLOCK);
    const outer = Buffer.allocUnsafe(BLOCK + 32);
    outer.set(this.outerKey);
    outer.set(hash('sha256', inner, 'buffer'), BLOCK);
    return new Uint8Array(hash('sha256', outer, 'buffer'));
  }
}

/** Of SHA-256, in bytes (FIPS 180-4 section 1). */
const BLOCK = 64;
