import type { OpenStream } from './open-stream.ts';

/**
 * What a live operation shows: page by page, for as long as somebody pulls and the credential holds. Each page is shown
 * and entered in the logs of reads by itself, before it is given out.
 *
 * @throws NotaryError UNAUTHORIZED, FORBIDDEN where the credential ended meanwhile.
 */
export async function* liveView(
  pages: AsyncIterable<unknown>,
  stream: OpenStream,
  show: (page: unknown) => Promise<unknown>,
): AsyncGenerator<unknown> {
  try {
    for await (const page of pages) {
      const view = await show(page);
      if (stream.signal.aborted) break;
      yield view;
    }
    if (stream.signal.aborted) throw stream.signal.reason;
  } finally {
    stream.close();
  }
}
