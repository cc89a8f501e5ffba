import { describe, expect, it } from 'vitest';
import { serverSentEvents } from '../../../adapters/a2a/sse.ts';

const ALIVE = ':\n\n';

/** An event at a time, when it is told to come, and how often it was waited for. */
class Told implements AsyncIterator<unknown> {
  waits = 0;
  asked = 0;
  #resolve: (result: IteratorResult<unknown>) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  next(): Promise<IteratorResult<unknown>> {
    this.asked++;
    const promise = new Promise<IteratorResult<unknown>>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const then = promise.then.bind(promise);
    promise.then = ((...reactions: Parameters<typeof then>) => {
      this.waits++;
      return then(...reactions);
    }) as typeof promise.then;
    return promise;
  }

  come(result: IteratorResult<unknown>): void {
    this.#resolve(result);
  }

  fail(error: Error): void {
    this.#reject(error);
  }
}

const streamOf = (events: AsyncIterator<unknown>) => {
  const seen = { closed: 0 };
  const refused = (cause: unknown) => ({ refused: (cause as Error).message });
  const stream = serverSentEvents(events, () => seen.closed++, refused, 5);
  const next = async (): Promise<unknown> => {
    const result = await stream.next();
    return result.done ? 'done' : result.value;
  };
  return { stream, seen, next };
};

describe('server-sent events', () => {
  it('an idle stream shows that it is alive, and holds nothing more for each time that it did', async () => {
    const events = new Told();
    const { next } = streamOf(events);
    for (let round = 0; round < 20; round++) expect(await next()).toBe(ALIVE);
    expect(events.asked).toBe(1);
    expect(events.waits).toBe(1);
    events.come({ value: { at: 1 }, done: false });
    expect(await next()).toBe('data: {"at":1}\n\n');
    expect(await next()).toBe(ALIVE);
    expect(events.asked).toBe(2);
  });

  it('tells what its events failed with, and ends', async () => {
    const events = new Told();
    const { next, seen } = streamOf(events);
    expect(await next()).toBe(ALIVE);
    events.fail(new Error('no'));
    expect(await next()).toBe('data: {"refused":"no"}\n\n');
    expect(await next()).toBe('done');
    expect(seen.closed).toBe(1);
  });

  it('ends with its events, and at once for whoever leaves', async () => {
    const events = new Told();
    const { next, seen } = streamOf(events);
    expect(await next()).toBe(ALIVE);
    events.come({ value: undefined, done: true });
    expect(await next()).toBe('done');
    expect(seen.closed).toBe(1);
    const left = streamOf(new Told());
    expect(await left.next()).toBe(ALIVE);
    await left.stream.return!();
    expect(left.seen.closed).toBe(1);
    expect(await left.next()).toBe('done');
  });
});
