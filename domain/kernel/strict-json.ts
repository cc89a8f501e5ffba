import type { JsonValue } from './canonical-json.ts';
import { decimalOf } from './decimal.ts';

/**
 * Text that is not JSON, or is JSON that two parsers could read differently. `offset` counts UTF-16
 * units (bytes where the bytes are not UTF-8).
 */
export class StrictJsonError extends Error {
  override readonly name = 'StrictJsonError';
  /** RFC 6901 pointer to the faulty value, or to the innermost value around it. */
  readonly pointer: string;
  readonly offset: number;
  /** Both from 1. */
  readonly line: number;
  readonly column: number;

  constructor(message: string, pointer: string, { offset, line, column }: JsonPlace) {
    super(message);
    this.pointer = pointer;
    this.offset = offset;
    this.line = line;
    this.column = column;
  }
}

/** The text holds more values than are taken; the pointer is of the first one that is too many. */
export class TooManyValuesError extends StrictJsonError {}

export interface JsonPlace {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

const placeIn = (text: string, offset: number): JsonPlace => {
  const before = text.slice(0, offset);
  return {
    offset,
    line: before.split('\n').length,
    column: offset - before.lastIndexOf('\n'),
  };
};

export interface StrictJsonLimits {
  /** How deep arrays and objects may be nested. */
  readonly maxDepth: number;
  /** How many values there may be, at all depths together: members, items, and what holds them. */
  readonly maxValues?: number;
}

const DEFAULT_LIMITS: StrictJsonLimits = { maxDepth: 64 };

/**
 * Parses JSON (RFC 8259) and refuses everything that two parsers could read differently: duplicate
 * member names, lone surrogates, a byte order mark, and numbers whose decimal value differs from
 * what ECMAScript writes for the parsed double. -0 is read as 0; `__proto__` is a member like any
 * other.
 *
 * @throws StrictJsonError
 */
export const parseStrictJson = (
  text: string,
  limits: StrictJsonLimits = DEFAULT_LIMITS,
): JsonValue => {
  const { maxDepth, maxValues = Infinity } = limits;
  // What holds too many values is never made into all of them.
  const value = mayHoldMore(text, maxValues) ? undefined : parseCompact(text, maxDepth, maxValues);
  return value === undefined ? new Reader(text, maxDepth, maxValues).document() : value;
};

/** @throws StrictJsonError where the bytes are not UTF-8. A byte order mark is kept, for the parser to refuse. */
export const decodeUtf8Strict = (bytes: Uint8Array): string => {
  try {
    return fatalUtf8.decode(bytes);
  } catch {
    const offset = firstInvalidByte(bytes);
    const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, offset));
    throw new StrictJsonError('The bytes are not UTF-8.', '', {
      ...placeIn(before, before.length),
      offset,
    });
  }
};

const fatalUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes leniently and encodes again: the first byte that differs is invalid, because the
 * replacement character took its place.
 */
const firstInvalidByte = (bytes: Uint8Array): number => {
  const again = new TextEncoder().encode(
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
  );
  const index = bytes.findIndex((byte, at) => byte !== again[at]);
  return index < 0 ? bytes.length : index;
};

/** The value of a text that is exactly what ECMAScript writes for it; undefined of any other, be it JSON or not. */
export const parseCompactJson = (text: string): JsonValue | undefined =>
  parseCompact(text, DEFAULT_LIMITS.maxDepth, Infinity);

/**
 * The fast path. Gives undefined where it cannot decide. If the runtime writes the parsed value as
 * exactly the same text, the text has no duplicate name (one of the two would be gone), no inexact
 * number (it would be written differently) and no -0. Only an escaped lone surrogate survives the
 * round trip, so text with such an escape is left to the reader.
 */
const parseCompact = (text: string, maxDepth: number, maxValues: number): JsonValue | undefined => {
  try {
    const value = JSON.parse(text) as JsonValue;
    // The depth is checked first, because JSON.stringify recurses.
    return isWithin(value, maxDepth, { left: maxValues }) &&
      !text.includes('\\ud') &&
      JSON.stringify(value) === text
      ? value
      : undefined;
  } catch {
    return undefined;
  }
};

/** Counts commas, and brackets and braces that open, outside of strings: JSON never holds more values than these and one. */
const mayHoldMore = (text: string, maxValues: number): boolean => {
  // Each value but the last has a comma or a closing bracket behind it.
  if (text.length <= 2 * maxValues) return false;
  let left = maxValues - 1;
  for (let at = 0; at < text.length && left >= 0; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++)
        if (text.charCodeAt(at) === BACKSLASH) at++;
    } else if (code === COMMA || code === BRACKET || code === BRACE) left--;
  }
  return left < 0;
};
const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

const isWithin = (value: JsonValue, depthLeft: number, values: { left: number }): boolean => {
  if (--values.left < 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  if (depthLeft === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[])
      if (!isWithin(item, depthLeft - 1, values)) return false;
    return true;
  }
  const object = value as { readonly [member: string]: JsonValue };
  for (const name in object) if (!isWithin(object[name]!, depthLeft - 1, values)) return false;
  return true;
};

const WHITESPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * A recursive-descent parser in one pass. It is slower than the runtime's, but it knows the place
 * of each fault.
 */
class Reader {
  private offset = 0;
  private readonly path: (string | number)[] = [];
  private readonly text: string;
  private readonly maxDepth: number;
  private readonly maxValues: number;
  private values = 0;

  constructor(text: string, maxDepth: number, maxValues: number) {
    this.text = text;
    this.maxDepth = maxDepth;
    this.maxValues = maxValues;
  }

  document(): JsonValue {
    if (this.text.startsWith('\ufeff')) throw this.fault('The text starts with a byte order mark.');
    const value = this.value(0);
    if (this.offset < this.text.length) throw this.fault('There is more text after the value.');
    return value;
  }

  private value(depth: number): JsonValue {
    this.skip(WHITESPACE);
    const value = this.bare(depth);
    this.skip(WHITESPACE);
    return value;
  }

  private bare(depth: number): JsonValue {
    const first = this.text[this.offset];
    if (first === undefined) throw this.fault('The text ends where a value is expected.');
    if (++this.values > this.maxValues) throw this.tooMany();
    if (first === '{' || first === '[') {
      if (depth >= this.maxDepth)
        throw this.fault(`Arrays and objects are nested more than ${this.maxDepth} deep.`);
      return first === '{' ? this.object(depth) : this.array(depth);
    }
    if (first === '"') return this.string();
    if (first === '-' || (first >= '0' && first <= '9')) return this.number();
    for (const [word, value] of LITERALS) {
      if (!this.text.startsWith(word, this.offset)) continue;
      this.offset += word.length;
      return value;
    }
    throw this.fault('A value is expected here.');
  }

  private object(depth: number): JsonValue {
    const members: { [member: string]: JsonValue } = {};
    this.offset++;
    this.skip(WHITESPACE);
    if (this.take('}')) return members;
    do {
      this.skip(WHITESPACE);
      const start = this.offset;
      if (this.text[start] !== '"')
        throw this.fault('A member name in double quotes is expected here.');
      const name = this.string();
      this.path.push(name);
      if (Object.hasOwn(members, name))
        throw this.fault(`The member ${JSON.stringify(name)} stands twice in one object.`, start);
      this.skip(WHITESPACE);
      if (!this.take(':')) throw this.fault('A colon is expected here.');
      const value = this.value(depth + 1);
      if (name === '__proto__')
        Object.defineProperty(members, name, {
          value,
          writable: true,
          enumerable: true,
          configurable: true,
        });
      else members[name] = value;
      this.path.pop();
    } while (this.take(','));
    if (!this.take('}')) throw this.fault('A comma or a closing brace is expected here.');
    return members;
  }

  private array(depth: number): JsonValue {
    const items: JsonValue[] = [];
    this.offset++;
    this.skip(WHITESPACE);
    if (this.take(']')) return items;
    do {
      this.path.push(items.length);
      items.push(this.value(depth + 1));
      this.path.pop();
    } while (this.take(','));
    if (!this.take(']')) throw this.fault('A comma or a closing bracket is expected here.');
    return items;
  }

  private string(): string {
    const start = this.offset;
    const end = this.closingQuote();
    const raw = this.text.slice(start, end);
    const text = raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
    if (!text.isWellFormed())
      throw this.fault('A lone surrogate has no meaning in Unicode text.', start);
    this.offset = end;
    return text;
  }

  private closingQuote(): number {
    // Most strings hold no escape, so a search for the closing quote is enough.
    const quote = this.text.indexOf('"', this.offset + 1);
    if (quote < 0) throw this.fault('The string has no closing quote.');
    const plain = this.text.slice(this.offset + 1, quote);
    if (!/[\\\u0000-\u001f]/.test(plain)) return quote + 1;
    let at = this.offset + 1;
    for (;;) {
      const char = this.text[at];
      if (char === undefined) throw this.fault('The string has no closing quote.');
      if (char === '"') return at + 1;
      if (char < ' ') throw this.fault('A control character must be escaped in a string.', at);
      if (char !== '\\') {
        at++;
        continue;
      }
      ESCAPE.lastIndex = at;
      if (!ESCAPE.test(this.text)) throw this.fault('There is no such escape sequence.', at);
      at = ESCAPE.lastIndex;
    }
  }

  private number(): number {
    const literal = this.match(NUMBER);
    if (literal === null) throw this.fault('This is not a JSON number.');
    const value = Number(literal);
    if (!sameDecimal(literal, value))
      throw this.fault(
        `The number ${literal.slice(0, 40)} cannot be held exactly by a double; send it as a string.`,
      );
    this.offset += literal.length;
    return value === 0 ? 0 : value;
  }

  private skip(pattern: RegExp): void {
    pattern.lastIndex = this.offset;
    pattern.test(this.text);
    this.offset = pattern.lastIndex;
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.offset;
    return pattern.exec(this.text)?.[0] ?? null;
  }

  private take(char: string): boolean {
    if (this.text[this.offset] !== char) return false;
    this.offset++;
    return true;
  }

  private fault(message: string, offset = this.offset): StrictJsonError {
    return new StrictJsonError(message, this.pointer, placeIn(this.text, offset));
  }

  private tooMany(): TooManyValuesError {
    const message = `There are more than ${this.maxValues} values.`;
    return new TooManyValuesError(message, this.pointer, placeIn(this.text, this.offset));
  }

  private get pointer(): string {
    return this.path
      .map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`)
      .join('');
  }
}

/** Whether the literal is, as a decimal, exactly what ECMAScript would write for the double. */
const sameDecimal = (literal: string, value: number): boolean => {
  if (!Number.isFinite(value)) return false;
  const written = String(value);
  if (written === literal) return true;
  const a = decimalOf(literal);
  const b = decimalOf(written);
  return a.digits === b.digits && (a.digits === '' || a.exponent === b.exponent);
};
