import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { InOrder } from '../../../adapters/cli/mcp/wrap/in-order.ts';
import { Proxy } from '../../../adapters/cli/mcp/wrap/proxy.ts';
import { ToolCalls, type Fact } from '../../../adapters/cli/mcp/wrap/tool-calls.ts';
import { until } from '../../support/peers/receiver.ts';

/** A proxy whose facts are safe when the test says so. */
const proxyOf = () => {
  const noted: { fact: Fact; settle: (fails?: string) => void }[] = [];
  const kept: Fact[] = [];
  const notarizer = {
    note: (fact: Fact) =>
      new Promise<void>((resolve, reject) => {
        noted.push({ fact, settle: (why) => (why ? reject(new Error(why)) : resolve()) });
      }),
    keepOnly: (fact: Fact) => Promise.resolve(void kept.push(fact)),
  };
  const calls = new ToolCalls({
    session: crypto.randomUUID(),
    command: 'c',
    hasContents: false,
    now: () => 0,
    at: () => '2026-01-01T00:00:00.000Z',
  });
  const proxy = new Proxy({ calls, notarizer: notarizer as never, tell: () => undefined });
  const host = new PassThrough();
  const server = new PassThrough();
  const toHost = new PassThrough();
  const passed: string[] = [];
  server.on('data', (part: Buffer) => passed.push(...part.toString().trim().split('\n')));
  const heard: string[] = [];
  toHost.on('data', (part: Buffer) => heard.push(...part.toString().trim().split('\n')));
  const ended = proxy.fromHost(host, server, toHost);
  const say = (message: object): void => void host.write(`${JSON.stringify(message)}\n`);
  return { noted, kept, host, passed, heard, say, ended };
};
const call = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: `t${id}` },
});

describe('calls that a host makes at the same time', () => {
  it('are noted at the same time, and passed on in their order with what stands between them', async () => {
    const { noted, passed, say, host, ended } = proxyOf();
    say(call(1));
    say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    say(call(2));
    say(call(3));
    await until(() => noted.length === 3);
    noted[2]!.settle();
    noted[1]!.settle();
    await new Promise((resolve) => setImmediate(resolve));
    expect(passed).toEqual([]);
    noted[0]!.settle();
    host.end();
    await ended;
    expect(passed.map((line) => (JSON.parse(line) as { id?: number }).id)).toEqual([
      1,
      undefined,
      2,
      3,
    ]);
  });

  it('are refused alone where one of them cannot be noted', async () => {
    const { noted, passed, heard, kept, say, host, ended } = proxyOf();
    for (const id of [1, 2, 3]) say(call(id));
    await until(() => noted.length === 3);
    for (const [at, { settle }] of noted.entries()) settle(at === 1 ? 'the disk is full' : '');
    host.end();
    await ended;
    expect(passed.map((line) => (JSON.parse(line) as { id?: number }).id)).toEqual([1, 3]);
    expect(heard.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { id: 2, error: { message: 'The call was not made, because the disk is full.' } },
    ]);
    expect(kept).toMatchObject([{ event: 'result', call: 1, outcome: 'not-forwarded' }]);
  });
});

it('lines under way are bounded: who reads waits for them', async () => {
  const passing = new InOrder();
  const line = new Uint8Array(40 * 1024 * 1024);
  let go: () => void = () => undefined;
  const work = new Promise<void>((resolve) => (go = resolve));
  await passing.next(line, work, () => Promise.resolve());
  let isReading = false;
  const second = passing.next(line, work, () => Promise.resolve()).then(() => (isReading = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isReading).toBe(false);
  go();
  await second;
  await passing.done();
});
