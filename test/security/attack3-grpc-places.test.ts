import type { ClientHttp2Session } from 'node:http2';
import { afterEach, describe, expect, it } from 'vitest';
import { RecordService } from '../../adapters/grpc/generated/notary/v1/record_service_pb.ts';
import { nameOf } from '../../adapters/grpc/method.ts';
import { LoadGate } from '../../application/call/load-gate.ts';
import { useApi } from '../support/api.ts';
import { beginCall, framed, framesTo } from '../support/grpc-frames.ts';

/** Nothing grows old in the gate within the test. */
const api = useApi({ GRPC_PORT: '0', MAX_QUEUE_MS: '60000' });
const GET = `/${nameOf(RecordService.method.get)}`;
const CALLS = 60;
const WAIT = { timeout: 30_000 };

const sessions: ClientHttp2Session[] = [];
afterEach(() => {
  for (const session of sessions.splice(0)) session.destroy();
});
const begun = async () => {
  const session = await framesTo(String(api.service.grpc));
  sessions.push(session);
  const authorization = `Bearer ${String(api.world.principal.client.key)}`;
  return Array.from({ length: CALLS }, () => beginCall(session, GET, { authorization }));
};
const gate = (): LoadGate => api.service.container.get(LoadGate);

/** With enough of such calls at a time the gate is full, and everybody else is refused. */
describe('the place of a call in the load gate', () => {
  it.each([
    ['before its message', Buffer.alloc(0)],
    ['in the middle of its message', framed(Buffer.alloc(1_000)).subarray(0, 100)],
  ])('is given back where the caller leaves %s', async (_, part) => {
    const calls = await begun();
    if (part.length > 0) for (const call of calls) call.write(part);
    await expect.poll(() => gate().underWay, WAIT).toBe(CALLS);
    for (const call of calls) call.close();
    await expect.poll(() => gate().underWay, WAIT).toBe(0);
  });

  it('is given back where the caller ends its half without a message, or brings two', async () => {
    const calls = await begun();
    await expect.poll(() => gate().underWay, WAIT).toBe(CALLS);
    const two = Buffer.concat([framed(Buffer.alloc(0)), framed(Buffer.alloc(0))]);
    calls.forEach((call, at) => (at % 2 === 0 ? call.end() : call.end(two)));
    await expect.poll(() => gate().underWay, WAIT).toBe(0);
  });

  it('is given back where the caller leaves while it is let in', async () => {
    for (const call of await begun()) call.close();
    // One that is answered came behind them on another connection.
    await expect.poll(() => gate().underWay, WAIT).toBe(0);
    for (const call of await begun()) setTimeout(() => call.close(), Math.round(Math.random() * 5));
    const [last] = await begun();
    last!.end(framed(Buffer.alloc(0)));
    await expect.poll(() => last!.closed || last!.readableEnded, WAIT).toBe(true);
    sessions.at(-1)!.destroy();
    await expect.poll(() => gate().underWay, WAIT).toBe(0);
  });
});
