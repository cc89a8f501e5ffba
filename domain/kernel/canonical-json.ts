import canonicalize from 'canonicalize';

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue };
export type JsonObject = { readonly [member: string]: JsonValue };

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const utf8 = new TextEncoder();

/**
 * The RFC 8785 (JCS) form of a JSON value.
 *
 * @throws TypeError where the value has no such form: a lone surrogate (section 3.2.2.2), NaN or an infinity
 *   (section 3.2.2.3), or anything that is not JSON at all.
 */
export const canonicalJson = (value: JsonValue): string => {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('not a JSON value');
  return text;
};

/** The canonical form as UTF-8, ready to be hashed or signed. */
export const canonicalJsonBytes = (value: JsonValue): Uint8Array =>
  utf8.encode(canonicalJson(value));
