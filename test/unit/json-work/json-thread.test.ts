import { afterEach, describe, expect, test } from 'vitest';
import { FairQueue } from '../../../adapters/json-work/fair-queue.ts';
import {
  JsonThread,
  ReadGivenUp,
  type JsonThreadLimits,
} from '../../../adapters/json-work/json-thread.ts';
import { ThreadedJsonReader } from '../../../adapters/json-work/threaded-json-reader.ts';
import type { JsonTask } from '../../../adapters/json-work/json-task.ts';

const threads: JsonThread[] = [];
const thread = (limits: Partial<JsonThreadLimits> = {}): JsonThread => {
  const made = new JsonThread(limits);
  threads.push(made);
  return made;
};
afterEach(async () => {
  await Promise.all(threads.splice(0).map((each) => each.stop()));
});

const task = (text: string): JsonTask => ({
  bytes: new TextEncoder().encode(text),
  limits: { maxDepth: 64 },
});
const SMALL = task('{"a":1}');
const ANSWER = { text: '{"a":1}', canonical: null };
/** Takes a second or more. */
const LARGE = task(`{${Array.from({ length: 600_000 }, (_, at) => ` "m${at}":0`).join(',')}}`);

const reasonOf = async (answer: Promise<unknown>): Promise<unknown> =>
  answer.then(
    () => 'answered',
    (error: unknown) => (error instanceof ReadGivenUp ? error.reason : error),
  );

describe('the thread for long texts', () => {
  test('starts with the first one, and goes when there has been none for a while', async () => {
    const lazy = thread({ idleMs: 50 });
    expect(lazy.isRunning).toBe(false);
    expect(await lazy.run('a', SMALL)).toEqual(ANSWER);
    expect(lazy.isRunning).toBe(true);
    await expect.poll(() => lazy.isRunning).toBe(false);
    expect(await lazy.run('a', SMALL)).toEqual(ANSWER);
  });

  test('a text that takes too long is given up; the next one gets a new thread', async () => {
    const strict = thread();
    await strict.run('a', SMALL);
    const impatient = thread({ taskMs: 60 });
    expect(await reasonOf(impatient.run('a', LARGE))).toBe('too-long');
    expect(await strict.run('a', SMALL)).toEqual(ANSWER);
  });

  test('a text that kills the thread is given up, and no other', async () => {
    const mortal = thread();
    const deadly = { ...SMALL, limits: null as unknown as JsonTask['limits'] };
    const [dead, alive] = await Promise.all([
      reasonOf(mortal.run('a', deadly)),
      mortal.run('b', SMALL),
    ]);
    expect([dead, alive]).toEqual(['crashed', ANSWER]);
  });

  test('never makes all the values of a text that holds too many', async () => {
    const bounded = thread();
    await bounded.run('a', SMALL);
    const limits = { maxDepth: 64, maxValues: 1_000 };
    const answer = await bounded.run('a', { ...LARGE, limits });
    expect(answer).toMatchObject({ fault: { isTooMany: true, pointer: '/m999' } });
  });

  test('takes no more than its queue holds: in all, by sender and by bytes', async () => {
    const many = (limits: Partial<JsonThreadLimits>, senders: readonly string[]) => {
      const short = thread(limits);
      return Promise.all(senders.map((sender) => reasonOf(short.run(sender, SMALL))));
    };
    expect(await many({ queuedTexts: 1 }, ['a', 'b', 'c'])).toEqual([
      'answered',
      'answered',
      'queue-full',
    ]);
    expect(await many({ queuedBySender: 1 }, ['a', 'a', 'a', 'b'])).toEqual([
      'answered',
      'answered',
      'queue-full',
      'answered',
    ]);
    expect(await many({ queuedBytes: 2 * SMALL.bytes.length }, ['a', 'a', 'a'])).toEqual([
      'answered',
      'answered',
      'queue-full',
    ]);
  });

  test('who sends many waits for the own ones; another one has the next turn', async () => {
    const shared = thread();
    await shared.run('b', SMALL);
    const order: string[] = [];
    const send = (sender: string, name: string): Promise<unknown> =>
      shared.run(sender, SMALL).then(() => order.push(name));
    await Promise.all([
      ...Array.from({ length: 20 }, (_, at) => send('many', `many ${at}`)),
      send('one', 'one'),
    ]);
    expect(order.indexOf('one')).toBeLessThan(3);
  });

  test('stopping gives up what waits and what runs', async () => {
    const stopped = thread();
    const running = [reasonOf(stopped.run('a', LARGE)), reasonOf(stopped.run('a', SMALL))];
    await stopped.stop();
    expect(await Promise.all(running)).toEqual(['stopped', 'stopped']);
    expect(stopped.isRunning).toBe(false);
  });

  test('a text that cannot be read in time is 503, and says what to do', async () => {
    const reader = new ThreadedJsonReader(thread({ taskMs: 60 }), LARGE.limits);
    await expect(Promise.resolve(reader.read(LARGE.bytes, 'a'))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      members: { retryAfter: 2, suggestion: expect.stringContaining('fewer large bodies') },
    });
  });
});

describe('a fair queue', () => {
  test('gives senders their turns, and each its own in order', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item[0]!, item);
    expect([queue.size, queue.sizeOf('a'), queue.sizeOf('x')]).toEqual([6, 3, 0]);
    expect(Array.from({ length: 7 }, () => queue.take())).toEqual([
      'a1',
      'b1',
      'c1',
      'a2',
      'b2',
      'a3',
      undefined,
    ]);
    expect(queue.size).toBe(0);
  });

  test('is empty once it was drained', () => {
    const queue = new FairQueue<number>();
    for (const item of [1, 2, 3]) queue.add(String(item % 2), item);
    expect(queue.drain().sort()).toEqual([1, 2, 3]);
    expect([queue.size, queue.take()]).toEqual([0, undefined]);
  });
});
