import canonicalize from 'canonicalize';
import type { JsonValue } from './canonical-json.ts';

/**
 * The RFC 8785 (JCS) form of a document, by the library. Schemas, manifests, exports and signed documents use it,
 * because they are written seldom. `canonicalJson` writes the same bytes for the paths that every record takes: it is
 * up to three times faster, and a test holds both against each other.
 *
 * @throws TypeError if the value has no such form.
 */
export const canonicalDocument = (value: JsonValue): string => {
  assertJson(value);
  try {
    return canonicalize(value)!;
  } catch (error) {
    // The library throws a plain Error. Nesting that fills the stack stays a RangeError.
    if (error instanceof RangeError) throw error;
    throw new TypeError(error instanceof Error ? error.message : String(error));
  }
};

/** The canonical form as UTF-8, ready to be hashed or signed. */
export const canonicalDocumentBytes = (value: JsonValue): Uint8Array =>
  utf8.encode(canonicalDocument(value));

const utf8 = new TextEncoder();

/** Refuses what the library leaves out, writes as null or calls: it follows JSON.stringify for what is not JSON. */
const assertJson = (value: unknown): void => {
  if (['undefined', 'function', 'symbol', 'bigint'].includes(typeof value))
    throw new TypeError(`a value of type ${typeof value} is not JSON`);
  if (typeof value !== 'object' || value === null) return;
  // `for...of` also visits the holes of an array.
  if (Array.isArray(value)) for (const item of value as readonly unknown[]) assertJson(item);
  else for (const member of Object.values(value)) if (member !== undefined) assertJson(member);
};
