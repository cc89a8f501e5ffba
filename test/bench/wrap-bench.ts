import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ServiceClient } from '../../adapters/cli/mcp/service-client.ts';
import { wrapType } from '../../adapters/cli/mcp/wrap/wrap-type.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { createWorld, ok } from '../support/service/world.ts';
import type { Row } from './table.ts';

const TOOL = [process.execPath, 'test/support/peers/tool-server.mjs', 'echo'] as const;
const WARM = 100;
const CALLS = 400;
/** What a wrapper may add to a call of a tool, ms. */
export const LIMIT_MS = 5;

export interface WrapCost {
  /** Median ms of one call, one after the other. */
  readonly notarize: number;
  readonly bare: number;
  readonly block: number;
  readonly queue: number;
}

/** A call of a tool with and without the wrapper, and one notarize call of the service beside them, in turns. */
export const costOfWrap = async (calls = CALLS): Promise<WrapCost> => {
  const service = new ServiceProcess({});
  const ends: (() => Promise<void>)[] = [];
  try {
    const { apiKey } = await service.bootstrap();
    await service.start();
    const world = await createWorld(service.url, apiKey);
    await ok(world.admin.post('/v1/schemas', wrapType('mcp.tool-call')));
    const key = String(world.principal.client.key);
    const wrapped = (mode: string): readonly string[] => [
      ...[process.execPath, 'dist/config/main.js', 'mcp', '--on-unavailable', mode],
      ...['--queue', join(service.directory, mode), '--wrap', ...TOOL],
    ];
    const env = { NOTARY_URL: service.url, NOTARY_API_KEY: key };
    const hosts = [TOOL, wrapped('block'), wrapped('queue')].map((command) => host(command, env));
    ends.push(...hosts.map(({ end }) => end));
    const client = new ServiceClient(service.url, key);
    const [bareCall, blockCall, queueCall] = hosts.map(({ call }) => call) as [Act, Act, Act];
    const [notarize, bare, block] = await inTurns(calls, [
      () => notarized(client),
      bareCall,
      blockCall,
    ]);
    // By itself: what it queued is sealed beside whatever comes next.
    const [queue] = await inTurns(calls, [queueCall]);
    return { notarize: notarize!, bare: bare!, block: block!, queue: queue! };
  } finally {
    await Promise.all(ends.map((end) => end()));
    await service.stop();
    rmSync(service.directory, { recursive: true, force: true });
  }
};

type Act = () => Promise<void>;

/** Medians, ms. In turns, so that a machine that slows down slows all of them. */
const inTurns = async (calls: number, acts: readonly Act[]): Promise<readonly number[]> => {
  const times: number[][] = acts.map(() => []);
  for (const act of acts) for (let n = 0; n < WARM; n++) await act();
  for (let n = 0; n < calls; n++)
    for (const [at, act] of acts.entries()) {
      const begun = performance.now();
      await act();
      times[at]!.push(performance.now() - begun);
    }
  return times.map(median);
};

export const measureWrap = async (): Promise<readonly Row[]> => {
  const { notarize, bare, block, queue } = await costOfWrap();
  const row = (what: string, ms: number): Row => ({
    what: `notary mcp --wrap adds to a call, ${what}`,
    perSecond: 1000 / ms,
    p50: ms,
    ratio: ms / notarize,
    of: 'one notarize call, one at a time',
    note: `limit ${LIMIT_MS} ms`,
  });
  return [
    { what: 'notarize, one at a time', perSecond: 1000 / notarize, p50: notarize },
    row('block (two seals)', block - bare),
    row('queue', queue - bare),
  ];
};

const notarized = async (client: ServiceClient): Promise<void> => {
  const criteria = {
    event: 'call',
    session: randomUUID(),
    call: 0,
    command: 'node',
    tool: 'a',
    requestId: '1',
  };
  const { status } = await client.send(
    'POST',
    '/v1/records',
    JSON.stringify({ type: 'mcp.tool-call', criteria, platform: 'mcp' }),
    { 'idempotency-key': randomUUID() },
  );
  if (status !== 201) throw new Error(`notarize was answered with ${status}`);
};

/** Of a tool server: one call at a time. */
const host = ([command, ...args]: readonly string[], env: Readonly<Record<string, string>>) => {
  const child = spawn(command!, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = new Map<number, () => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, error } = JSON.parse(line) as { id: number; error?: { message: string } };
    if (error) throw new Error(error.message);
    answers.get(id)?.();
    answers.delete(id);
  });
  let count = 0;
  const call = (): Promise<void> =>
    new Promise((resolve) => {
      const id = ++count;
      answers.set(id, resolve);
      const params = { name: 'a', arguments: { path: '/work/notes.txt', n: id } };
      child.stdin.write(
        `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`,
      );
    });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const end = (): Promise<void> => {
    child.stdin.end();
    return ended;
  };
  return { call, end };
};

const median = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)]!;
