import { afterEach, describe, expect, it } from 'vitest';
import { Type } from 'typebox';
import { bind, type RestBinding } from '../../../adapters/rest/binding.ts';
import { operation } from '../../../application/call/operation.ts';
import { raw, start, type Running } from './support.ts';

let running: Running | undefined;
afterEach(() => running?.stop());

const slow = (milliseconds: number): RestBinding => {
  class Wait {
    execute(): Promise<{ readonly done: boolean }> {
      return new Promise((resolve) => setTimeout(() => resolve({ done: true }), milliseconds));
    }
  }
  const wait = operation({
    id: 'slow',
    words: { summary: 'Slow', group: 'T' },
    effect: 'read',
    access: () => ({ scope: null }),
    input: Type.Object({}, { additionalProperties: false }),
    output: Type.Object({ done: Type.Boolean() }),
    result: { description: 'Done', example: { done: true } },
    useCase: Wait,
    view: (view) => ({ view }),
  });
  return bind(wait, { method: 'GET', path: '/v1/slow' });
};
const get = (): Promise<Response> =>
  fetch(`${running!.url}/v1/slow`, { headers: { authorization: 'Bearer reader' } });

describe('stopping the server', () => {
  it('lets a running request finish and refuses new connections', async () => {
    running = await start([slow(300)]);
    const answer = get();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const stopped = running.stop();
    await expect(
      raw(running.port, (write) => write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')),
    ).rejects.toThrow();
    expect((await answer).status).toBe(200);
    await stopped;
  });

  it('does not wait for connections that are merely kept alive', async () => {
    running = await start([slow(1)]);
    await (await get()).text();
    const began = performance.now();
    await running.stop();
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  it('cuts off what is not done in time', async () => {
    running = await start([slow(4_000)], {}, {}, 200);
    const answer = get();
    const broken = expect(answer).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const began = performance.now();
    await running.stop();
    await broken;
    expect(performance.now() - began).toBeLessThan(1_500);
  });

  it('may be asked for twice', async () => {
    running = await start([slow(1)]);
    await running.stop();
    await running.stop();
  });
});
