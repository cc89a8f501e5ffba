import { decodeBase64UrlStrict } from '../kernel/base64.ts';
import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import { decodeUtf8Strict, parseStrictJson, StrictJsonError } from '../kernel/strict-json.ts';

/** A compact JWS (RFC 7515 section 3.1) with JSON inside, parsed but not verified. */
export interface CompactJws {
  readonly text: string;
  readonly alg: string;
  readonly kid: string | null;
  readonly typ: string | null;
  readonly header: JsonObject;
  readonly claims: JsonObject;
  /** The bytes that the signature covers. */
  readonly signingInput: string;
  readonly signature: Uint8Array;
}

/** Tokens of identity providers have a few hundred bytes, or a few thousand with many groups. */
export const MAX_JWS_LENGTH = 16_384;
const LIMITS = { maxDepth: 16 };

/**
 * Whether the text is three parts of base64url, which no API key is. The contents are not checked.
 */
export const looksLikeJws = (text: string): boolean =>
  text.length <= MAX_JWS_LENGTH && /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/.test(text);

/**
 * Null for everything that two readers could understand differently: duplicate members, text that
 * is not UTF-8, base64url with stray bits. No critical header (`crit`, section 4.1.11) is known
 * here, so any is refused.
 */
export const parseCompactJws = (text: string): CompactJws | null => {
  if (!looksLikeJws(text)) return null;
  const [head, body, tail] = text.split('.') as [string, string, string];
  const header = jsonObjectOf(head);
  const claims = jsonObjectOf(body);
  const signature = decodeBase64UrlStrict(tail);
  if (
    !header ||
    !claims ||
    !signature ||
    Object.hasOwn(header, 'crit') ||
    Object.hasOwn(header, 'b64')
  )
    return null;
  const { alg, kid = null, typ = null } = header;
  if (typeof alg !== 'string' || !isTextOrNull(kid) || !isTextOrNull(typ)) return null;
  return { text, alg, kid, typ, header, claims, signingInput: `${head}.${body}`, signature };
};

const isTextOrNull = (value: JsonValue): value is string | null =>
  value === null || (typeof value === 'string' && value.length <= 1024);

const jsonObjectOf = (part: string): JsonObject | null => {
  const bytes = decodeBase64UrlStrict(part);
  if (!bytes) return null;
  try {
    const value = parseStrictJson(decodeUtf8Strict(bytes), LIMITS);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause;
    return null;
  }
};
