import { setImmediate } from 'node:timers/promises';

/** In UTF-16 units: about what is made and sent before other requests have their turn. */
const CHUNK = 32 * 1024;

/**
 * The body of an answer that is made while it is sent. The reader pulls, so a slow one holds no more than a chunk; where
 * it leaves, the parts are told. A part that fails breaks the connection off: what arrived cannot be taken for the whole.
 */
export const bodyStream = (
  parts: AsyncIterable<string>,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> => {
  const iterator = parts[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        await setImmediate();
        let text = '';
        let isDone = false;
        while (!isDone && text.length < CHUNK) {
          const next = await iterator.next();
          if (next.done) isDone = true;
          else text += next.value;
        }
        if (text !== '') controller.enqueue(encoder.encode(text));
        if (isDone) controller.close();
      } catch (error) {
        onError(error);
        controller.error(error);
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  });
};
