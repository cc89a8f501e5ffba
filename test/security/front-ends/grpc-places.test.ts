import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { status } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from 'vitest';
import { RecordService } from '../../../adapters/grpc/generated/notary/v1/record_service_pb.ts';
import { nameOf } from '../../../adapters/grpc/method.ts';
import { LoadGate, type Leave } from '../../../application/call/load-gate.ts';
import { useApi } from '../../support/service/api.ts';
import { beginCall, framed, framesTo, heardOf } from '../../support/clients/grpc-frames.ts';
import { mintKey } from '../../support/service/world.ts';

/** Nothing that has its message grows old in the gate within the test. */
const api = useApi({ GRPC_PORT: '0', MAX_QUEUE_MS: '60000' });
const LIST = `/${nameOf(RecordService.method.list)}`;
const CALLS = 200;
const OF_KEY = 1_000;
const WAIT = { timeout: 60_000 };
const MESSAGE = framed(Buffer.alloc(0));

const gate = (): LoadGate => api.service.container.get(LoadGate);
const sessions: ClientHttp2Session[] = [];
const held: Leave[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) session.destroy();
  for (const leave of held.splice(0)) leave();
  await expect.poll(() => gate().underWay, WAIT).toBe(0);
});
const fill = (): void => {
  while (gate().hasRoom(1)) held.push(gate().enter('http')!);
};
const opened = async (): Promise<ClientHttp2Session> => {
  const session = await framesTo(String(api.service.grpc));
  sessions.push(session);
  return session;
};
const begun = async (
  count = CALLS,
  key = api.world.principal.client.key,
  on?: ClientHttp2Session,
): Promise<ClientHttp2Stream[]> => {
  const session = on ?? (await opened());
  const authorization = `Bearer ${String(key)}`;
  return Array.from({ length: count }, () => beginCall(session, LIST, { authorization }));
};
/** Resolves once so many calls more came to the gate, and what they do there was done. */
const letIn = async (come: () => Promise<ClientHttp2Stream[]>): Promise<ClientHttp2Stream[]> => {
  let taken = 0;
  const it = gate();
  const { take } = it;
  it.take = (door) => {
    const place = take.call(it, door);
    return place && { ...place, awaitCaller: () => (taken++, place.awaitCaller()) };
  };
  try {
    const calls = await come();
    await expect.poll(() => taken, WAIT).toBe(calls.length);
    return calls;
  } finally {
    Reflect.deleteProperty(it, 'take');
  }
};
/** As many calls as a key may have, a part at a time: all at once, they would find the load gate full. */
const letInAll = async (key: unknown, on: ClientHttp2Session): Promise<ClientHttp2Stream[]> => {
  const calls: ClientHttp2Stream[] = [];
  while (calls.length < OF_KEY) calls.push(...(await letIn(() => begun(CALLS, String(key), on))));
  return calls;
};
const codes = async (calls: readonly ClientHttp2Stream[]): Promise<number[]> => [
  ...new Set(
    (await Promise.all(calls.map((call) => heardOf(call, 60_000)))).map((one) => one.code),
  ),
];

describe('a call whose message is not there', () => {
  it.each([
    ['has not begun', Buffer.alloc(0)],
    ['is there in part', framed(Buffer.alloc(1_000)).subarray(0, 100)],
  ])('has no place in the load gate for long, where its message %s', async (_, part) => {
    const calls = await letIn(() => begun());
    if (part.length > 0) for (const call of calls) call.write(part);
    expect(gate().underWay).toBeLessThanOrEqual(64);
    await expect.poll(() => gate().underWay, WAIT).toBe(0);
    expect(calls.some((call) => call.closed)).toBe(false);
  });

  it('is answered when its message comes', async () => {
    const calls = await letIn(() => begun());
    await expect.poll(() => gate().underWay, WAIT).toBe(0);
    const said = codes(calls);
    for (const call of calls) call.end(MESSAGE);
    expect(await said).toEqual([status.OK]);
    await expect.poll(() => gate().underWay, WAIT).toBe(0);
  });

  it('is refused when its message comes, where others have the places by then', async () => {
    const calls = await letIn(() => begun(3));
    await expect.poll(() => gate().underWay, WAIT).toBe(0);
    fill();
    const said = codes(calls);
    const refused = gate().refused;
    for (const call of calls) call.end(MESSAGE);
    expect(await said).toEqual([status.UNAVAILABLE]);
    expect([gate().refused - refused, gate().underWay]).toEqual([3, held.length]);
  });

  it('may stand beside so many of its key, until those before leave, end without one, or bring two', async () => {
    // A key of its own: the service may still count calls of the tests before.
    const { principal, admin } = api.world;
    const { key } = (await mintKey(admin, principal.id, { scopeProfile: 'agent-full' })).client;
    const connection = await opened();
    const first = await letInAll(key, connection);
    const [beyond] = await begun(1, key);
    const said = await heardOf(beyond!, 60_000);
    expect([said.code, said.message]).toEqual([
      status.RESOURCE_EXHAUSTED,
      expect.stringContaining(`${OF_KEY} calls open`),
    ]);
    first.forEach((call, at) => {
      if (at % 3 === 0) call.close();
      else if (at % 3 === 1) call.end();
      else call.end(Buffer.concat([MESSAGE, MESSAGE]));
    });
    await expect.poll(() => first.every((call) => call.closed), WAIT).toBe(true);
    // On the same connection the service reads each end before the next beginning.
    await letInAll(key, connection);
  });
});

describe('the place of a call in the load gate', () => {
  it('is given back where the caller leaves while it is let in', async () => {
    for (const call of await begun(60)) call.close();
    // One that is answered came behind them on another connection.
    await expect.poll(() => gate().underWay, WAIT).toBe(0);
    for (const call of await begun(60))
      setTimeout(() => call.close(), Math.round(Math.random() * 5));
    const [last] = await begun(1);
    last!.end(MESSAGE);
    await expect.poll(() => last!.closed || last!.readableEnded, WAIT).toBe(true);
    sessions.at(-1)!.destroy();
    await expect.poll(() => gate().underWay, WAIT).toBe(0);
  });
});
