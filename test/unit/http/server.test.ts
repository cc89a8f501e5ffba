import { afterEach, describe, expect, it } from 'vitest';
import { post, raw, start, thingBinding, type Running } from './support.ts';

let running: Running | undefined;
afterEach(() => running?.stop());

/** A service whose only use case takes this long. */
const startSlow = (milliseconds: number, drainMs?: number): Promise<Running> =>
  start(
    [thingBinding],
    { act: () => new Promise((resolve) => setTimeout(() => resolve({}), milliseconds)) },
    drainMs,
  );
const ask = (): Promise<Response> => post(`${running!.url}/v1/things`, { name: 'a' });

describe('stopping the server', () => {
  it('lets a running request finish and refuses new connections', async () => {
    running = await startSlow(300);
    const answer = ask();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const stopped = running.stop();
    await expect(
      raw(running.port, (write) => write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')),
    ).rejects.toThrow();
    expect((await answer).status).toBe(201);
    await stopped;
  });

  it('does not wait for connections that are merely kept alive', async () => {
    running = await startSlow(1);
    await (await ask()).text();
    const began = performance.now();
    await running.stop();
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  it('cuts off what is not done in time', async () => {
    running = await startSlow(60_000, 200);
    const answer = ask();
    const broken = expect(answer).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const began = performance.now();
    await running.stop();
    await broken;
    expect(performance.now() - began).toBeLessThan(30_000);
  });

  it('may be asked for twice', async () => {
    running = await startSlow(1);
    await running.stop();
    await running.stop();
  });
});
