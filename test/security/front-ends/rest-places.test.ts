import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { LoadGate, type Leave } from '../../../application/call/load-gate.ts';
import { useApi } from '../../support/service/api.ts';

/** Nothing that has its body grows old in the gate within the test. */
const api = useApi({ MAX_QUEUE_MS: '60000' });
const WAIT = { timeout: 60_000 };
const CALLS = 100;
const BODY = JSON.stringify({ type: 'note', criteria: { text: 'late' } });

const gate = (): LoadGate => api.service.container.get(LoadGate);
const sockets: Socket[] = [];
const held: Leave[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const leave of held.splice(0)) leave();
  await expect.poll(() => gate().underWay, WAIT).toBe(0);
});

interface Slow {
  readonly socket: Socket;
  heard: string;
}

/** Requests with the first bytes of their bodies, each of which was let in. */
const begun = async (path: string, count = CALLS): Promise<Slow[]> => {
  let taken = 0;
  const it = gate();
  const { take } = it;
  it.take = (door) => {
    const place = take.call(it, door);
    return place && { ...place, awaitCaller: () => (taken++, place.awaitCaller()) };
  };
  const { port } = new URL(api.world.url);
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${String(api.world.principal.client.key)}\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`;
  const slow = Array.from({ length: count }, () => {
    const one: Slow = { socket: connect(Number(port), '127.0.0.1'), heard: '' };
    sockets.push(one.socket);
    one.socket.on('error', () => undefined);
    one.socket.on('data', (bytes) => (one.heard += bytes.toString()));
    one.socket.write(head + BODY.slice(0, 1));
    return one;
  });
  try {
    await expect.poll(() => taken, WAIT).toBe(count);
    return slow;
  } finally {
    Reflect.deleteProperty(it, 'take');
  }
};
const statuses = async (slow: readonly Slow[]): Promise<string[]> => {
  await expect.poll(() => slow.every(({ heard }) => heard.includes('\r\n\r\n')), WAIT).toBe(true);
  return [...new Set(slow.map(({ heard }) => heard.slice(9, 12)))];
};

describe.each(['/v1/records', '/a2a', '/mcp'])(
  'a request to %s whose body is not there',
  (path) => {
    it('has no place in the load gate for long, and is answered when the body comes', async () => {
      const slow = await begun(path);
      expect(gate().underWay).toBeLessThanOrEqual(64);
      await expect.poll(() => gate().underWay, WAIT).toBe(0);
      for (const { socket } of slow) socket.write(BODY.slice(1));
      expect(await statuses(slow)).not.toContain('503');
      await expect.poll(() => gate().underWay, WAIT).toBe(0);
    });

    it('is refused when the body comes, where others have the places by then', async () => {
      const slow = await begun(path, 3);
      await expect.poll(() => gate().underWay, WAIT).toBe(0);
      while (gate().hasRoom(1)) held.push(gate().enter('http')!);
      const { refused } = gate();
      for (const { socket } of slow) socket.write(BODY.slice(1));
      await statuses(slow);
      for (const { heard } of slow) expect(heard).toMatch(/not begun/);
      expect([gate().refused - refused, gate().underWay]).toEqual([3, held.length]);
    });
  },
);

it('a body that breaks off gives back what its request has', async () => {
  const slow = await begun('/v1/records');
  for (const { socket } of slow) socket.destroy();
  await expect.poll(() => gate().underWay, WAIT).toBe(0);
});
