const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Of each byte; 255 of what is no digit. */
const VALUES = new Uint8Array(256).fill(255);
for (let i = 0; i < 64; i++) VALUES[ALPHABET.charCodeAt(i)] = i;

const utf8 = new TextEncoder();

/**
 * The bytes of canonical base64 (RFC 4648 section 4: standard alphabet, padded, unused bits zero),
 * or null for any other text. So each sequence of bytes has exactly one accepted text.
 */
export const decodeBase64Strict = (text: string): Uint8Array | null => {
  const ascii = utf8.encode(text);
  return decodeBase64Bytes(ascii, 0, ascii.length);
};

/** The same of a text that stands in bytes as ASCII, from one place up to another. */
export const decodeBase64Bytes = (
  text: Uint8Array,
  start: number,
  end: number,
): Uint8Array | null => {
  const length = end - start;
  if (length === 0 || length % 4 !== 0) return length === 0 ? new Uint8Array(0) : null;
  const padding = text[end - 1] !== 61 ? 0 : text[end - 2] !== 61 ? 1 : 2;
  const bytes = new Uint8Array((length / 4) * 3 - padding);
  const whole = end - (padding > 0 ? 4 : 0);
  let out = 0;
  // No value but that of another character has the highest bit.
  let seen = 0;
  for (let at = start; at < whole; at += 4) {
    const a = VALUES[text[at]!]!;
    const b = VALUES[text[at + 1]!]!;
    const c = VALUES[text[at + 2]!]!;
    const d = VALUES[text[at + 3]!]!;
    seen |= a | b | c | d;
    bytes[out] = (a << 2) | (b >> 4);
    bytes[out + 1] = (b << 4) | (c >> 2);
    bytes[out + 2] = (c << 6) | d;
    out += 3;
  }
  if (seen > 63) return null;
  if (padding === 0) return bytes;
  const a = VALUES[text[whole]!]!;
  const b = VALUES[text[whole + 1]!]!;
  const c = padding === 1 ? VALUES[text[whole + 2]!]! : 0;
  if ((a | b | c) > 63 || (padding === 1 ? c & 3 : b & 15) !== 0) return null;
  bytes[out] = (a << 2) | (b >> 4);
  if (padding === 1) bytes[out + 1] = (b << 4) | (c >> 2);
  return bytes;
};

/** RFC 4648 section 4, padded. */
export const encodeBase64 = (bytes: Uint8Array): string => encoded(bytes);

/** What gives the base64 of bytes, and leaves them as they are. */
export type Base64Encoder = (bytes: Uint8Array) => string;

/**
 * Encodes with another implementation from here on: that of the runtime, which is about ten times faster. The two give the
 * same text, so it does not matter who was asked when.
 *
 * @throws TypeError where it does not. Nothing is changed then.
 */
export const encodeBase64With = (other: Base64Encoder): void => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  for (let length = 0; length <= all.length; length++)
    if (other(all.subarray(0, length)) !== plainBase64(all.subarray(0, length)))
      throw new TypeError('this is not an implementation of base64');
  encoded = other;
};

/** Pure JavaScript, so that the verifier runs anywhere unchanged. */
export const plainBase64: Base64Encoder = (bytes) => {
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  const whole = bytes.length - (bytes.length % 3);
  let out = 0;
  for (let i = 0; i < whole; i += 3) {
    const group = (bytes[i]! << 16) | (bytes[i + 1]! << 8) | bytes[i + 2]!;
    text[out++] = CODES[group >> 18]!;
    text[out++] = CODES[(group >> 12) & 63]!;
    text[out++] = CODES[(group >> 6) & 63]!;
    text[out++] = CODES[group & 63]!;
  }
  if (whole < bytes.length) {
    const group = (bytes[whole]! << 16) | ((bytes[whole + 1] ?? 0) << 8);
    text[out++] = CODES[group >> 18]!;
    text[out++] = CODES[(group >> 12) & 63]!;
    text[out++] = whole + 1 < bytes.length ? CODES[(group >> 6) & 63]! : PADDING;
    text[out] = PADDING;
  }
  return ascii.decode(text);
};

const CODES = new TextEncoder().encode(ALPHABET);
const PADDING = 61;
const ascii = new TextDecoder();

/** Pure JavaScript unless somebody brings another one. */
let encoded: Base64Encoder = plainBase64;

/** RFC 4648 section 5, without padding, as JOSE writes it (RFC 7515 section 2). */
export const encodeBase64Url = (bytes: Uint8Array): string =>
  encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** The bytes of canonical base64url without padding, or null for anything else. */
export const decodeBase64UrlStrict = (text: string): Uint8Array | null =>
  /^[A-Za-z0-9_-]*$/.test(text)
    ? decodeBase64Strict(
        text.replaceAll('-', '+').replaceAll('_', '/') + '='.repeat((4 - (text.length % 4)) % 4),
      )
    : null;
