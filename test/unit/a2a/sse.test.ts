import { describe, expect, it } from 'vitest';
import { serverSentEvents, type EventData } from '../../../adapters/a2a/sse.ts';

const ALIVE = ':\n\n';

/** An event at a time, when it is told to come, and how often it was waited for. */
class Told implements AsyncIterator<() => EventData> {
  waits = 0;
  asked = 0;
  #resolve: (result: IteratorResult<() => EventData>) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  next(): Promise<IteratorResult<() => EventData>> {
    this.asked++;
    const promise = new Promise<IteratorResult<() => EventData>>((resolve, reject) => {
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

  come(result: IteratorResult<() => EventData>): void {
    this.#resolve(result);
  }

  fail(error: Error): void {
    this.#reject(error);
  }
}

const streamOf = (events: AsyncIterator<() => EventData>) => {
  const seen = { closed: 0 };
  const refused = (cause: unknown) => [`{"refused":"${(cause as Error).message}"}`];
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
    events.come({ value: () => ['{"at":1}'], done: false });
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

  it('sends bytes that streams share as they are', async () => {
    const shared = new TextEncoder().encode('"shared"');
    const events = new Told();
    const { next } = streamOf(events);
    expect(await next()).toBe(ALIVE);
    events.come({ value: () => ['{"id":', '1,"result":', shared, '}'], done: false });
    expect(await next()).toBe('data: {"id":1,"result":');
    expect(await next()).toBe(shared);
    expect(await next()).toBe('}\n\n');
    expect(await next()).toBe(ALIVE);
  });

  it('makes one event in a turn of the event loop, however many streams were woken', async () => {
    let made = 0;
    const told = Array.from({ length: 20 }, () => new Told());
    const nexts = told.map((events) => streamOf(events).next());
    for (const events of told) events.come({ value: () => [String(made++)], done: false });
    for (let turn = 0, before = 0; made < told.length; turn++) {
      expect(turn).toBeLessThan(100);
      await new Promise((resolve) => setImmediate(resolve));
      expect(made - before).toBeLessThanOrEqual(1);
      before = made;
    }
    await Promise.all(nexts);
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
