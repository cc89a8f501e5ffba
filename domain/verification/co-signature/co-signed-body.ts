import { decodeBase64Strict } from '../../kernel/base64.ts';
import type { CoSignature } from '../../identity/co-signature.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/canonical-json.ts';
import { readerAt, type BodyAsked } from './body-request.ts';
import { sha256Hex, toHex } from '../../kernel/digest.ts';
import { decodeUtf8Strict, parseStrictJson } from '../../kernel/strict-json.ts';

/** The members of a co-signed body, or why it is not the one that was signed. */
export type CoSignedBody =
  | {
      readonly members: JsonObject;
      /** Where the body says what the path does not. */
      readonly asked?: BodyAsked;
    }
  | { readonly fault: string };

/**
 * @param body the raw bytes, as a file shows them.
 * @param path at which it was sent.
 */
export const readCoSignedBody = (
  block: CoSignature,
  body: Uint8Array,
  path: string,
): CoSignedBody => {
  if (sha256Hex(body) !== signedHash(block))
    return { fault: 'the body shown is not the one whose hash was co-signed' };
  const value = parse(body);
  if (value === undefined) return { fault: 'the co-signed body is not JSON' };
  const { item } = block as { readonly item?: number };
  const read = readerAt(path);
  if (read) {
    const asked = read(value, item);
    return asked
      ? { members: asked.members, asked }
      : { fault: `the co-signed request to ${path} asks for nothing that is sealed` };
  }
  const members =
    item === undefined ? value : Array.isArray(value) ? itemOf(value, item) : undefined;
  return members !== undefined && isObject(members)
    ? { members }
    : { fault: 'the co-signed body has no such item' };
};

const itemOf = (items: readonly JsonValue[], index: number): JsonValue | undefined => items[index];

/** Lowercase hex; null where the digest field is of another form (RFC 9530). */
const signedHash = (block: CoSignature): string | null => {
  if (block.coverage === 'body') return block.contentHash;
  const encoded = /^sha-256=:([A-Za-z0-9+/]{43}=):$/.exec(block.contentDigest)?.[1];
  const bytes = encoded === undefined ? null : decodeBase64Strict(encoded);
  return bytes && toHex(bytes);
};

/** No body says what an empty object says. */
const parse = (body: Uint8Array): JsonValue | undefined => {
  if (body.length === 0) return {};
  try {
    return parseStrictJson(decodeUtf8Strict(body), { maxDepth: 128 });
  } catch {
    return undefined;
  }
};
