import { MAX_LENGTH } from '../../domain/verification/read-document.ts';
import { InputError, reasonOf } from './input-error.ts';
import { openInput } from './read-input.ts';

/** One thing to verify. */
export interface InputDocument {
  /** The file; of one that holds a document a line, with the number of the line. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly isLine: boolean;
}

/**
 * What a file holds: itself, or the documents that stand in it a line each, as a compliance export writes whole exports.
 * No more than one of them is held.
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
    for await (const { bytes, number } of linesOf(source)) {
      if (number === 1 && isDocument(bytes)) first = bytes;
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

const hold = (parts: Uint8Array[], bytes: Uint8Array): void => {
  parts.push(bytes);
  const length = (lengths.get(parts) ?? 0) + bytes.length;
  lengths.set(parts, length);
  if (length > MAX_LENGTH) throw new Error(`it has more than ${MAX_LENGTH} bytes`);
};
const lengths = new WeakMap<readonly Uint8Array[], number>();

/** The lines of a stream, each with its line feed. */
async function* linesOf(
  stream: AsyncIterable<unknown>,
): AsyncGenerator<{ readonly bytes: Uint8Array; readonly number: number }> {
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
