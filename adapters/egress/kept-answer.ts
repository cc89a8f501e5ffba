import type { IncomingMessage } from 'node:http';

/** A longer answer is read no further, which costs the connection. */
const MAX_READ = 65_536;

/**
 * Reads an answer to its end, so that its connection can be used again, and keeps the beginning of its body as text.
 *
 * @throws where it ends before it is whole.
 */
export const keptAnswer = async (
  response: IncomingMessage,
  keepBytes: number,
  readBytes = MAX_READ,
): Promise<string> => {
  const kept: Buffer[] = [];
  let [size, keptSize] = [0, 0];
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    const beginning = part.subarray(0, keepBytes - keptSize);
    if (beginning.length > 0) kept.push(beginning);
    keptSize += beginning.length;
    // Leaving the loop destroys the connection.
    if (size > readBytes) break;
  }
  const { 'content-encoding': encoding = 'identity' } = response.headers;
  return encoding === 'identity' ? textOf(Buffer.concat(kept), keepBytes) : '';
};

/**
 * As UTF-8, without a character that was cut. What is no UTF-8 becomes U+FFFD, which is longer than the byte that it
 * stands for, so the text is cut once more.
 */
export const textOf = (bytes: Uint8Array, maxBytes: number): string => {
  const text = decoded(bytes.subarray(0, maxBytes));
  const again = Buffer.from(text);
  return again.length <= maxBytes ? text : decoded(again.subarray(0, maxBytes));
};

const decoded = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8').decode(bytes, { stream: true });
