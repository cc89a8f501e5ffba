import {
  canonicalJson,
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
export type JsonAnswer = Prepared | { readonly fault: JsonFault };

/** A value in parts: what a call keeps, such as criteria, may stand some levels down in what a protocol wraps it in. */
export type Prepared =
  | PreparedText
  | { readonly members: readonly (readonly [name: string, Prepared])[] }
  | { readonly items: readonly Prepared[] };

/** A value as the runtime writes it, and its RFC 8785 form where that takes long to make. */
interface PreparedText {
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
    return prepare(parseStrictJson(decodeUtf8Strict(bytes), limits), 0);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    const { message, pointer, offset, line, column } = error;
    const isTooMany = error instanceof TooManyValuesError;
    return { fault: { message, pointer, place: { offset, line, column }, isTooMany } };
  }
};

const prepare = (value: JsonValue, depth: number): Prepared => {
  const text = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || text.length <= SHORT)
    return { text, canonical: null };
  if (depth < DEEPEST) {
    if (Array.isArray(value)) {
      if (value.length <= MANY) return { items: value.map((item) => prepare(item, depth + 1)) };
    } else {
      const members = Object.entries(value);
      if (members.length <= MANY)
        return { members: members.map(([name, member]) => [name, prepare(member, depth + 1)]) };
    }
  }
  // What is outermost is kept as a whole by nobody.
  return { text, canonical: depth === 0 ? null : canonicalJson(value) };
};

/** A value with more members or items than this is not taken apart. A bulk has up to 100 items. */
const MANY = 100;

/** Criteria in an item of the arguments of a tool in the parameters of a call. */
const DEEPEST = 5;

/** Up to this length, in UTF-16 units, a canonical form is made where it is needed. */
const SHORT = 4_096;

/** Runs in the thread that asked. @throws StrictJsonError. */
export const valueOf = (answer: JsonAnswer): JsonValue => {
  if ('fault' in answer) {
    const { message, pointer, place, isTooMany } = answer.fault;
    throw new (isTooMany ? TooManyValuesError : StrictJsonError)(message, pointer, place);
  }
  return made(answer);
};

const made = (prepared: Prepared): JsonValue => {
  if ('items' in prepared) return prepared.items.map(made);
  if ('text' in prepared) {
    const value = JSON.parse(prepared.text) as JsonValue;
    if (prepared.canonical !== null) rememberCanonicalJson(value as object, prepared.canonical);
    return value;
  }
  const value: { [member: string]: JsonValue } = {};
  // By definition and not by assignment, because a member may be called __proto__.
  for (const [name, member] of prepared.members)
    Object.defineProperty(value, name, {
      value: made(member),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  return value;
};
