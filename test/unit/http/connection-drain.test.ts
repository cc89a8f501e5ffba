import { afterEach, describe, expect, it } from 'vitest';
import { KeptConnection } from '../../support/clients/kept-connection.ts';
import { start, thingBinding, type Running } from './support.ts';

let running: Running | undefined;
const clients: KeptConnection[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await running?.stop();
});

/** A service whose only use case ends when the test lets it. */
const startHeld = async (): Promise<{
  readonly acted: () => number;
  readonly free: () => void;
}> => {
  const held: (() => void)[] = [];
  let acted = 0;
  let isFree = false;
  running = await start(
    [thingBinding],
    {
      act: () => {
        acted++;
        return isFree ? {} : new Promise((resolve) => held.push(() => resolve({})));
      },
    },
    20_000,
  );
  const free = (): void => {
    isFree = true;
    for (const end of held.splice(0)) end();
  };
  return { acted: () => acted, free };
};

const client = async (): Promise<KeptConnection> => {
  const made = await KeptConnection.to(running!.port);
  clients.push(made);
  return made;
};

const BODY = '{"name":"a"}';
const POST = [
  'POST /v1/things HTTP/1.1',
  'Host: notary.test',
  'Authorization: Bearer writer',
  'Content-Type: application/json',
  `Content-Length: ${BODY.length}`,
  '',
  BODY,
].join('\r\n');

describe('a stopping server', () => {
  it('ends the connection with the answer of a request that began before the stop', async () => {
    const { acted, free } = await startHeld();
    const kept = await client();
    kept.send(POST);
    await expect.poll(acted).toBe(1);
    const stopped = running!.stop();
    free();
    await expect.poll(() => kept.answers).toEqual([{ status: 201, connection: 'close' }]);
    await stopped;
    expect(kept.isLetDown).toBe(false);
  });

  it('answers the request that follows an answer of keep-alive, and ends the connection with it', async () => {
    const { free } = await startHeld();
    free();
    const kept = await client();
    kept.send(POST);
    await expect.poll(() => kept.answers).toEqual([{ status: 201, connection: 'keep-alive' }]);
    const stopped = running!.stop();
    kept.send(POST);
    await expect.poll(() => kept.answers.length).toBe(2);
    expect(kept.answers[1]).toEqual({ status: 201, connection: 'close' });
    await stopped;
  });

  it('answers the first request of a connection that was opened just before the stop', async () => {
    const { free } = await startHeld();
    free();
    const kept = await client();
    await expect.poll(() => running!.server.openConnections).toBe(1);
    const stopped = running!.stop();
    kept.send(POST);
    await expect.poll(() => kept.answers).toEqual([{ status: 201, connection: 'close' }]);
    await stopped;
  });

  it('answers every request that was sent ahead, and says close with the last one only', async () => {
    const { acted, free } = await startHeld();
    const [kept, other] = [await client(), await client()];
    kept.send(POST + POST);
    await expect.poll(acted).toBe(1);
    const stopped = running!.stop();
    kept.send(POST);
    // The server reads in the order of arrival: when this one is answered, it has read the request above.
    other.send('GET /nowhere HTTP/1.1\r\nHost: notary.test\r\n\r\n');
    await expect.poll(() => other.answers.length).toBe(1);
    free();
    await expect.poll(() => kept.ended).not.toBeNull();
    expect(kept.answers).toEqual([
      { status: 201, connection: 'keep-alive' },
      { status: 201, connection: 'keep-alive' },
      { status: 201, connection: 'close' },
    ]);
    await stopped;
  });

  it('begins no request behind the answer that ended the connection', async () => {
    const { acted, free } = await startHeld();
    free();
    const kept = await client();
    await expect.poll(() => running!.server.openConnections).toBe(1);
    const stopped = running!.stop();
    kept.send(POST);
    await expect.poll(() => kept.answers.length).toBe(1);
    kept.send(POST);
    await expect.poll(() => kept.ended).not.toBeNull();
    await stopped;
    expect(acted()).toBe(1);
    expect(kept.answers).toEqual([{ status: 201, connection: 'close' }]);
  });

  it('waits neither for an idle connection nor for one that stays in the middle of a head', async () => {
    const { free } = await startHeld();
    free();
    const [idle, slow] = [await client(), await client()];
    idle.send(POST);
    slow.send(POST);
    await expect.poll(() => [idle.answers.length, slow.answers.length]).toEqual([1, 1]);
    slow.send(POST.slice(0, 30));
    const began = performance.now();
    await running!.stop();
    await expect.poll(() => [idle.ended, slow.ended]).not.toContain(null);
    expect(performance.now() - began, 'it ended without the cut').toBeLessThan(15_000);
  });
});
