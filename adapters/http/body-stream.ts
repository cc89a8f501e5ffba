import { setImmediate } from 'node:timers/promises';
import type { Eventually } from '../../application/ports/rate-limiter.port.ts';

/** In bytes: about what is made and sent before other requests have their turn. */
const CHUNK = 32 * 1024;

/**
 * The body of an answer that is made while it is sent. The reader pulls, so a slow one holds no more than a chunk; where
 * it leaves, the parts are told. A part that fails breaks the connection off: what arrived cannot be taken for the whole.
 *
 * @param isLive each part is sent as it comes.
 */
export const bodyStream = (
  parts: AsyncIterable<string | Uint8Array>,
  on: { sent(bytes: number): Eventually<void>; error(error: unknown): void; end(): void },
  isLive = false,
): ReadableStream<Uint8Array> => {
  const iterator = parts[Symbol.asyncIterator]();
  let hasLeft = false;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        await setImmediate();
        const made = await chunkOf(iterator, isLive ? 1 : CHUNK);
        await on.sent(made.bytes.length);
        // The reader left meanwhile: its controller is closed, and takes nothing more.
        if (hasLeft) return;
        if (made.bytes.length > 0) controller.enqueue(made.bytes);
        if (!made.isLast) return;
        controller.close();
        on.end();
      } catch (error) {
        if (hasLeft) return;
        on.error(error);
        on.end();
        controller.error(error);
      }
    },
    async cancel() {
      hasLeft = true;
      try {
        await iterator.return?.();
      } finally {
        on.end();
      }
    },
  });
};

/** Text is put together first: parts of it are often a few characters. */
const chunkOf = async (
  iterator: AsyncIterator<string | Uint8Array>,
  atLeast: number,
): Promise<{ readonly bytes: Uint8Array; readonly isLast: boolean }> => {
  const bytes: Uint8Array[] = [];
  let length = 0;
  let text = '';
  const flush = (): void => {
    if (text === '') return;
    const encoded = encoder.encode(text);
    bytes.push(encoded);
    length += encoded.length;
    text = '';
  };
  while (length + text.length < atLeast) {
    const next = await iterator.next();
    if (next.done) {
      flush();
      return { bytes: joined(bytes), isLast: true };
    }
    if (typeof next.value === 'string') text += next.value;
    else {
      flush();
      bytes.push(next.value);
      length += next.value.length;
    }
  }
  flush();
  return { bytes: joined(bytes), isLast: false };
};

/** One piece is sent as it is: several answers may share it. */
const joined = (pieces: readonly Uint8Array[]): Uint8Array =>
  pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);

const encoder = new TextEncoder();
