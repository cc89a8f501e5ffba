/** A line is longer than anybody may send. */
export class LineTooLong extends Error {
  constructor(max: number) {
    super(`a line of more than ${max} bytes`);
  }
}

const NEWLINE = 0x0a;

/**
 * The lines of a stream, byte for byte, each with its newline. What stands behind the last one is a line as well.
 *
 * @throws LineTooLong
 */
export async function* linesOf(
  stream: AsyncIterable<Uint8Array>,
  max: number,
): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    let from = 0;
    for (;;) {
      const end = part.indexOf(NEWLINE, from);
      if (end === -1) break;
      yield Buffer.concat([...held, part.subarray(from, end + 1)]);
      held = [];
      size = 0;
      from = end + 1;
    }
    if (from === part.length) continue;
    held.push(part.subarray(from));
    size += part.length - from;
    if (size > max) throw new LineTooLong(max);
  }
  if (size > 0) yield Buffer.concat(held);
}
