import {
  canonicalJson,
  isObject,
  rememberCanonicalJson,
  type JsonValue,
} from '../../domain/kernel/canonical-json.ts';
import {
  decodeUtf8Strict,
  parseStrictJson,
  StrictJsonError,
  TooManyValuesError,
  type JsonPlace,
  type StrictJsonLimits,
} from '../../domain/kernel/strict-json.ts';

/** A text for the thread. */
export interface JsonTask {
  readonly bytes: Uint8Array;
  readonly limits: StrictJsonLimits;
}

/**
 * What the thread made of a text. Values are sent as JSON text: for the receiving thread, a text is several times
 * cheaper than a structured clone.
 */
export type JsonAnswer =
  | { readonly members: readonly PreparedMember[] }
  | { readonly whole: string }
  | { readonly fault: JsonFault };

/** A member of the outermost object, as the runtime writes it, and its RFC 8785 form where that takes long to make. */
export interface PreparedMember {
  readonly name: string;
  readonly text: string;
  readonly canonical: string | null;
}

interface JsonFault {
  readonly message: string;
  readonly pointer: string;
  readonly place: JsonPlace;
  readonly isTooMany: boolean;
}

/** Runs in the thread: all that takes long. */
export const performJsonTask = ({ bytes, limits }: JsonTask): JsonAnswer => {
  try {
    const value = parseStrictJson(decodeUtf8Strict(bytes), limits);
    const members = isObject(value) ? Object.entries(value) : [];
    return members.length === 0 || members.length > MANY
      ? { whole: JSON.stringify(value) }
      : { members: members.map(([name, member]) => prepare(name, member)) };
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    const { message, pointer, offset, line, column } = error;
    const isTooMany = error instanceof TooManyValuesError;
    return { fault: { message, pointer, place: { offset, line, column }, isTooMany } };
  }
};

const prepare = (name: string, value: JsonValue): PreparedMember => {
  const text = JSON.stringify(value);
  const isLong = typeof value === 'object' && value !== null && text.length > SHORT;
  return { name, text, canonical: isLong ? canonicalJson(value) : null };
};

/** An input with more members than this is refused, and has no use for the forms of its members. */
const MANY = 64;

/** Up to this length, in UTF-16 units, a canonical form is made where it is needed. */
const SHORT = 4_096;

/** Runs in the thread that asked. @throws StrictJsonError. */
export const valueOf = (answer: JsonAnswer): JsonValue => {
  if ('fault' in answer) {
    const { message, pointer, place, isTooMany } = answer.fault;
    throw new (isTooMany ? TooManyValuesError : StrictJsonError)(message, pointer, place);
  }
  if ('whole' in answer) return JSON.parse(answer.whole) as JsonValue;
  const value: { [member: string]: JsonValue } = {};
  for (const { name, text, canonical } of answer.members) {
    const member = JSON.parse(text) as JsonValue;
    if (canonical !== null) rememberCanonicalJson(member as object, canonical);
    // By definition and not by assignment, because a member may be called __proto__.
    Object.defineProperty(value, name, {
      value: member,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return value;
};
