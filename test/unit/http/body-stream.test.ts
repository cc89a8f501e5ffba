import { expect, it } from 'vitest';
import { bodyStream } from '../../../adapters/http/body-stream.ts';

interface Source {
  readonly parts: AsyncIterable<string>;
  given: number;
  isLeft: boolean;
}

/** Parts of 10,000 characters, that know how many were taken and whether the reader left. */
const source = (count: number, failAt = Infinity): Source => {
  const state = { given: 0, isLeft: false };
  const parts = (async function* () {
    try {
      while (state.given < count) {
        if (state.given === failAt) throw new Error('the database is away');
        state.given += 1;
        yield 'ä'.repeat(10_000);
      }
    } finally {
      state.isLeft = true;
    }
  })();
  return Object.assign(state, { parts });
};
const never = {
  sent: () => {},
  error: (error: unknown): never => {
    throw error;
  },
  end: () => {},
};

it('gives every part, in order and in UTF-8', async () => {
  let sent = 0;
  const on = { ...never, sent: (bytes: number) => void (sent += bytes) };
  const text = await new Response(bodyStream(source(25).parts, on)).text();
  expect(text).toBe('ä'.repeat(250_000));
  expect(sent).toBe(500_000);
});

it('takes no more than a reader asks for, and lets go where it leaves', async () => {
  const endless = source(Infinity);
  let ended = 0;
  const on = { ...never, end: () => void ended++ };
  const reader = bodyStream(endless.parts, on).getReader();
  await reader.read();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(endless.given).toBeLessThan(20);
  expect(ended).toBe(0);
  await reader.cancel();
  expect(ended).toBe(1);
  expect(endless.isLeft).toBe(true);
});

it('breaks off where a part fails, and says so', async () => {
  const told: unknown[] = [];
  const stream = bodyStream(source(25, 10).parts, {
    ...never,
    error: (error) => void told.push(error),
    end: () => void told.push('ended'),
  });
  await expect(new Response(stream).text()).rejects.toThrow('the database is away');
  expect(told).toEqual([expect.any(Error), 'ended']);
});

it.each([
  ['ends', null],
  ['fails', new Error('the credential ended')],
])('tells no error of a part that %s after its reader left', async (_, failure) => {
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => (leave = resolve));
  const iterator: AsyncIterableIterator<string> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      await left;
      if (failure) throw failure;
      return { done: true, value: undefined };
    },
    return: () => {
      leave();
      return Promise.resolve({ done: true, value: undefined });
    },
  };
  let [ended, failed] = [0, 0];
  const on = { ...never, error: () => failed++, end: () => ended++ };
  const reader = bodyStream(iterator, on, true).getReader();
  const read = reader.read();
  await turn();
  await reader.cancel();
  expect((await read).done).toBe(true);
  await turn();
  expect([failed, ended]).toEqual([0, 1]);
});

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
