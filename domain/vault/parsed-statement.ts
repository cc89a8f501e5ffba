import {
  canonicalJson,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../kernel/canonical-json.ts';
import { CborError, decodeCbor, encodeCbor, type CborValue } from '../kernel/deterministic-cbor.ts';
import { bytesEqual } from '../kernel/digest.ts';
import {
  decodeUtf8Strict,
  parseCompactJson,
  parseStrictJson,
  StrictJsonError,
} from '../kernel/strict-json.ts';
import { decodeProtected, decodeSign1, sigStructure, type ProtectedHeader } from './cose-sign1.ts';
import { CANONICALIZATIONS, MAX_STATEMENT_BYTES, STATEMENT_TYPE } from './statement.ts';

/** A COSE_Sign1 over a statement, taken apart and proven canonical; its signature is still to be checked. */
export interface ParsedStatement {
  readonly header: ProtectedHeader;
  readonly hasUnprotected: boolean;
  readonly signature: Uint8Array;
  /** The Sig_structure: what the signature is over. */
  readonly signed: Uint8Array;
  /** The decoded payload, whatever its shape. */
  readonly payload: JsonValue;
  /** The payload as a Statement; null where it has not exactly the members of one. */
  readonly statement: ReadStatement | null;
  /** False where the statement shown beside the bytes is not what the bytes hold; true where none was shown. */
  readonly shownAgrees: boolean;
}

export interface ReadStatement {
  readonly subjectName: string;
  readonly subjectDigest: string;
  readonly predicateType: string;
  readonly predicate: JsonObject;
}

/** Why bytes are no signed statement. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}

/**
 * @param shown the decoded statement as somebody shows it beside the bytes. Where its canonical form is the
 *   payload, byte for byte, nothing needs to be parsed: the payload is canonical and holds just that value.
 * @throws UnreadableError
 */
export const parseStatement = (bytes: Uint8Array, shown?: JsonValue): ParsedStatement => {
  try {
    const sign1 = decodeSign1(bytes);
    const header = decodeProtected(sign1.protectedBytes);
    if (sign1.payload.length > MAX_STATEMENT_BYTES)
      throw new UnreadableError(`the payload has more than ${MAX_STATEMENT_BYTES} bytes`);
    const shownAgrees = shown === undefined || encodesTo(header.contentType, shown, sign1.payload);
    const payload =
      shown !== undefined && shownAgrees ? shown : decodePayload(header.contentType, sign1.payload);
    return {
      header,
      hasUnprotected: sign1.unprotected.size > 0,
      signature: sign1.signature,
      signed: sigStructure(sign1.protectedBytes, sign1.payload),
      payload,
      statement: statementOf(payload),
      shownAgrees,
    };
  } catch (cause) {
    if (cause instanceof UnreadableError) throw cause;
    if (
      cause instanceof CborError ||
      cause instanceof StrictJsonError ||
      cause instanceof TypeError
    )
      throw new UnreadableError(cause.message, { cause });
    throw new UnreadableError('the bytes cannot be read', { cause });
  }
};

/**
 * A statement in its RFC 8785 form; null where the payload has not exactly the members of one.
 *
 * @throws UnreadableError where the bytes are no JSON in that form.
 */
export const parseJcsStatement = (payload: Uint8Array): ReadStatement | null => {
  try {
    return statementOf(decodePayload(CANONICALIZATIONS.jcs.contentType, payload));
  } catch (cause) {
    if (cause instanceof StrictJsonError) throw new UnreadableError(cause.message, { cause });
    throw cause;
  }
};

const { jcs, cde } = CANONICALIZATIONS;

const encodesTo = (contentType: string, shown: JsonValue, payload: Uint8Array): boolean => {
  try {
    if (contentType === jcs.contentType) return canonical(shown) === decodeUtf8Strict(payload);
    return contentType === cde.contentType && bytesEqual(encodeCbor(shown), payload);
  } catch {
    return false;
  }
};

const decodePayload = (contentType: string, payload: Uint8Array): JsonValue => {
  if (contentType === cde.contentType) return jsonOf(decodeCbor(payload));
  if (contentType !== jcs.contentType)
    throw new UnreadableError(`the content type "${contentType}" is none of a statement`);
  const text = decodeUtf8Strict(payload);
  const compact = parseCompactJson(text);
  // What is written out is the text again, so only the order of the members is left to look at.
  if (compact !== undefined && isInOrder(compact)) return compact;
  const value = parseStrictJson(text);
  if (canonical(value) !== text)
    throw new UnreadableError('the payload is JSON, but not in the canonical form of RFC 8785');
  return value;
};

/**
 * The RFC 8785 form of a value that was parsed strictly. One whose members stand in canonical order already, as
 * those of a decoded payload do, only needs to be written out: the rest of RFC 8785 is ECMAScript's own JSON.
 */
const canonical = (value: JsonValue): string =>
  isInOrder(value) ? JSON.stringify(value) : canonicalJson(value);

/** Section 3.2.3: names ascend by UTF-16 code units, which is how ECMAScript compares strings. */
const isInOrder = (value: JsonValue): boolean => {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isInOrder);
  let last: string | null = null;
  for (const name of Object.keys(value)) {
    if (last !== null && name <= last) return false;
    if (!isInOrder((value as JsonObject)[name]!)) return false;
    last = name;
  }
  return true;
};

/** The JSON value that a CBOR payload carries. Byte strings and integer keys have none. */
const jsonOf = (value: CborValue): JsonValue => {
  if (
    value === null ||
    typeof value === 'boolean' ||
    typeof value === 'number' ||
    typeof value === 'string'
  )
    return value;
  if (Array.isArray(value)) return value.map((item) => jsonOf(item as CborValue));
  if (!(value instanceof Map)) throw new UnreadableError('the payload holds a byte string');
  return Object.fromEntries(
    [...value].map(([name, item]) => {
      if (typeof name !== 'string')
        throw new UnreadableError('the payload holds a map key that is not text');
      return [name, jsonOf(item as CborValue)];
    }),
  );
};

/** Exactly `_type`, one subject with a name and one sha256, `predicateType` and `predicate`; no number but safe integers. */
const statementOf = (payload: JsonValue): ReadStatement | null => {
  if (
    !hasExactly(payload, ['_type', 'subject', 'predicateType', 'predicate']) ||
    payload['_type'] !== STATEMENT_TYPE
  )
    return null;
  const { subject, predicateType, predicate } = payload as {
    subject: JsonValue;
    predicateType: JsonValue;
    predicate: JsonValue;
  };
  if (!Array.isArray(subject) || subject.length !== 1) return null;
  const [only] = subject as readonly JsonValue[];
  if (!hasExactly(only, ['name', 'digest'])) return null;
  const { name, digest } = only as { name: JsonValue; digest: JsonValue };
  if (!hasExactly(digest, ['sha256'])) return null;
  const subjectDigest = digest['sha256'];
  if (
    typeof name !== 'string' ||
    typeof subjectDigest !== 'string' ||
    typeof predicateType !== 'string' ||
    !isObject(predicate) ||
    !holdsIntegersOnly(predicate)
  )
    return null;
  return { subjectName: name, subjectDigest, predicateType, predicate };
};

const hasExactly = (
  value: JsonValue | undefined,
  members: readonly string[],
): value is JsonObject =>
  isObject(value) &&
  Object.keys(value).length === members.length &&
  members.every((member) => Object.hasOwn(value, member));

const holdsIntegersOnly = (value: JsonValue): boolean => {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(holdsIntegersOnly);
};
