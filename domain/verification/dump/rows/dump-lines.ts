/** A line of a dump is at most that long: the largest entry has 64 KiB, which are 88 in base64. */
export const MAX_LINE_BYTES = 256 * 1024;
export const LINE_FEED = 0x0a;

export interface DumpLine {
  /** From 1. */
  readonly number: number;
  /** Without its line feed; null where it is longer than any row. */
  readonly bytes: Uint8Array | null;
  /** The file ends without a line feed. */
  readonly isCut: boolean;
}

/** Takes bytes apart into lines. No more than one line and one part is held. */
export async function* linesOf(parts: AsyncIterable<Uint8Array>): AsyncIterable<DumpLine> {
  let number = 0;
  let held: Uint8Array[] = [];
  let length = 0;
  const take = (bytes: Uint8Array): void => {
    length += bytes.length;
    if (length <= MAX_LINE_BYTES) held.push(bytes);
    else held = [];
  };
  const line = (isCut: boolean): DumpLine => {
    const bytes =
      length > MAX_LINE_BYTES ? null : held.length === 1 ? held[0]! : joined(held, length);
    held = [];
    length = 0;
    return { number: ++number, bytes, isCut };
  };
  for await (const part of parts) {
    let start = 0;
    for (;;) {
      const end = part.indexOf(LINE_FEED, start);
      if (end < 0) break;
      take(part.subarray(start, end));
      yield line(false);
      start = end + 1;
    }
    // Copied, because a reader may use its buffer again.
    if (start < part.length) take(part.slice(start));
  }
  if (length > 0) yield line(true);
}

/** The lines of a part of a file that begins with a line and ends with one. */
export function* linesIn(bytes: Uint8Array, firstLine: number): Generator<DumpLine> {
  let number = firstLine;
  for (let start = 0; start < bytes.length; number++) {
    const feed = bytes.indexOf(LINE_FEED, start);
    const end = feed < 0 ? bytes.length : feed;
    const line = bytes.subarray(start, end);
    yield { number, bytes: line.length > MAX_LINE_BYTES ? null : line, isCut: feed < 0 };
    start = end + 1;
  }
}

const joined = (parts: readonly Uint8Array[], length: number): Uint8Array => {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};
