import { MAX_LENGTH } from '../../domain/verification/read/read-document.ts';
import { InputError, reasonOf } from './input-error.ts';
import { openInput } from './read-input.ts';

/** One thing to verify. */
export interface InputDocument {
  /** The file; with the number of the line or array item if the file holds several documents. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly isLine: boolean;
}

/**
 * Yields what a file holds: itself, its lines, or the items of its JSON array. A compliance export writes whole exports
 * as lines (ndjson) or as an array (json). At most two documents are in memory.
 *
 * @param apiKey which a URL is fetched with.
 * @throws InputError
 */
export async function* documentsIn(
  file: string,
  apiKey: string | null,
): AsyncGenerator<InputDocument> {
  const source = await openInput(file, apiKey);
  let first: Uint8Array | null = null;
  let isLines = false;
  const whole: Uint8Array[] = [];
  try {
    const lines = linesOf(source);
    const begin = await lines.next();
    const all = begin.done ? lines : prepended(begin.value, lines);
    const isArray = !begin.done && begin.value.bytes[0] === BRACKET;
    for await (const { bytes, number } of isArray ? itemsOf(all) : all) {
      if (number === 1 && (isArray || isDocument(bytes))) first = bytes;
      else if (first || isLines) {
        if (bytes.every(isBlank)) continue;
        if (first) yield { name: `${file}:1`, bytes: first, isLine: true };
        [first, isLines] = [null, true];
        yield { name: `${file}:${number}`, bytes, isLine: true };
      } else hold(whole, bytes);
    }
  } catch (cause) {
    throw new InputError(`the file ${file} cannot be read: ${reasonOf(cause)}`, { cause });
  }
  if (!isLines) yield { name: file, bytes: first ?? Buffer.concat(whole), isLine: false };
}

const NEWLINE = 0x0a;

const isBlank = (byte: number): boolean =>
  byte === NEWLINE || byte === 0x20 || byte === 0x0d || byte === 0x09;

/** Whether a first line is JSON by itself, and not the header of one export. */
const isDocument = (line: Uint8Array): boolean => {
  if (line[0] !== 0x7b) return false;
  try {
    const value = JSON.parse(new TextDecoder().decode(line)) as { readonly kind?: unknown };
    return value.kind !== 'header';
  } catch {
    return false;
  }
};

interface NumberedBytes {
  readonly bytes: Uint8Array;
  readonly number: number;
}

const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const [COMMA, QUOTE, BACKSLASH] = [0x2c, 0x22, 0x5c];

/**
 * The items of a JSON array (RFC 8259 section 5), found by commas and brackets. The verifier parses each one strictly.
 *
 * @throws Error unless the array has items, none of them empty, and is all that the file holds.
 */
async function* itemsOf(lines: AsyncIterable<NumberedBytes>): AsyncGenerator<NumberedBytes> {
  let parts: Uint8Array[] = [];
  let [number, depth, isText, isEnded] = [0, 0, false, false];
  for await (const { bytes } of lines) {
    let from = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (isText) {
        if (byte === BACKSLASH) at++;
        else isText = byte !== QUOTE;
        continue;
      }
      if (isEnded && !isBlank(byte)) throw new Error('bytes follow its JSON array');
      if (byte === QUOTE) isText = true;
      else if (byte === BRACKET || byte === BRACE) {
        if (depth++ === 0) from = at + 1;
      } else if (byte === BRACKET_END || byte === BRACE_END) isEnded = --depth === 0;
      if (isEnded && byte === BRACE_END) throw new Error('its JSON array ends with a brace');
      if (isEnded ? byte !== BRACKET_END : depth !== 1 || byte !== COMMA) continue;
      hold(parts, bytes.subarray(from, at));
      const item = Buffer.concat(parts);
      if (item.every(isBlank)) throw new Error('its JSON array is empty or has an empty item');
      yield { bytes: item, number: ++number };
      [parts, from] = [[], at + 1];
    }
    if (depth > 0) hold(parts, bytes.subarray(from));
  }
  if (!isEnded) throw new Error('its JSON array does not end; fetch it again');
}

async function* prepended(
  first: NumberedBytes,
  rest: AsyncIterable<NumberedBytes>,
): AsyncGenerator<NumberedBytes> {
  yield first;
  yield* rest;
}

const hold = (parts: Uint8Array[], bytes: Uint8Array): void => {
  parts.push(bytes);
  const length = (lengths.get(parts) ?? 0) + bytes.length;
  lengths.set(parts, length);
  if (length > MAX_LENGTH) throw new Error(`it has more than ${MAX_LENGTH} bytes`);
};
const lengths = new WeakMap<readonly Uint8Array[], number>();

/** The lines of a stream, each with its line feed. */
async function* linesOf(stream: AsyncIterable<unknown>): AsyncGenerator<NumberedBytes> {
  let parts: Uint8Array[] = [];
  let number = 0;
  for await (const chunk of stream) {
    let rest = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array);
    for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE)) {
      hold(parts, rest.subarray(0, at + 1));
      yield { bytes: Buffer.concat(parts), number: ++number };
      parts = [];
      rest = rest.subarray(at + 1);
    }
    if (rest.length > 0) hold(parts, rest);
  }
  if (parts.length > 0) yield { bytes: Buffer.concat(parts), number: ++number };
}
