import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/databases.ts';
import { GrpcClient } from '../support/grpc-client.ts';
import { NotarizeStream, statementBytes } from '../support/grpc-streams.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { freshSecrets, readStored } from '../support/stored-chains.ts';
import { Client, createWorld, type World } from '../support/world.ts';

const run = promisify(execFile);
const MAX_QUEUE_MS = 500;

interface Outcome {
  readonly statuses: Readonly<Record<string, number>>;
  /** Records a second. */
  readonly perSecond: number;
  readonly offered: number;
  readonly broken: number;
  readonly unanswered: number;
  readonly withoutRetryAfter: number;
  /** Of those that were taken, ms. */
  readonly p99: number;
  readonly refusedP99: number;
}

describe('a service that is asked for four times what it can do', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let world: World;
  const outcomes: Outcome[] = [];
  let grpc: GrpcClient;
  let receipts = 0;

  beforeAll(async () => {
    database = await databases()[0]!.open({ migrated: false });
    service = new ServiceProcess({
      DATABASE_URL: database.url,
      MAX_QUEUE_MS: String(MAX_QUEUE_MS),
      GRPC_PORT: '0',
      MAX_CONNECTIONS_PER_ADDRESS: '0',
      ...freshSecrets(),
    });
    const { apiKey } = await service.bootstrap();
    await service.start();
    world = await createWorld(service.url, apiKey);
    grpc = new GrpcClient(String(service.logged.find(({ msg }) => msg === 'ready')?.['grpc']));
    await load({ connections: 64, seconds: 2 });
  });
  afterAll(async () => {
    grpc?.close();
    await service.stop();
    await database.drop();
    rmSync(service.directory, { recursive: true, force: true });
  });

  const load = async (asked: {
    readonly connections: number;
    readonly seconds: number;
    readonly perSecond?: number;
  }): Promise<Outcome> => {
    const given = { url: service.url, key: world.principal.client.key, ...asked };
    const { stdout } = await run(
      process.execPath,
      ['test/support/load-client.mjs', JSON.stringify(given)],
      { maxBuffer: 1 << 28 },
    );
    const outcome = JSON.parse(stdout) as Outcome;
    outcomes.push(outcome);
    return outcome;
  };

  /** What it does with as many callers as it takes easily. */
  const capacity = async (): Promise<number> =>
    (await load({ connections: 64, seconds: 4 })).perSecond;

  /** The first of three measurements that reaches so much, else the last: others use the machine too. */
  const recovered = async (wanted: number): Promise<number> => {
    for (let tries = 1; ; tries++) {
      const now = await capacity();
      if (now > wanted || tries === 3) return now;
    }
  };

  const probesWhile = async (work: Promise<unknown>): Promise<readonly number[]> => {
    const isOver = settled(work);
    const statuses: number[] = [];
    const health = new Client(service.url, null);
    while (!isOver())
      for (const path of ['/livez', '/readyz', '/health'])
        statuses.push((await health.get(path)).status);
    return statuses;
  };

  it('goes on with what it can, keeps its time for that, refuses the rest at once, and is well again by itself', async () => {
    const before = await capacity();
    const flooding = load({ connections: 1500, seconds: 8, perSecond: 4 * before });
    const probes = await probesWhile(flooding);
    const flood = await flooding;
    const after = await recovered(0.6 * before);
    // The machine may have become slower or faster meanwhile.
    expect(flood.perSecond).toBeGreaterThan(0.8 * Math.min(before, after));
    expect(flood.p99).toBeLessThan(4 * MAX_QUEUE_MS);
    expect(flood.statuses['503']).toBeGreaterThan(before);
    expect(Object.keys(flood.statuses).sort()).toEqual(['201', '503']);
    expect(flood).toMatchObject({ broken: 0, unanswered: 0, withoutRetryAfter: 0 });
    // A refusal waits for nothing but its turn.
    expect(flood.refusedP99).toBeLessThan(2 * MAX_QUEUE_MS);
    expect(probes.length).toBeGreaterThan(5);
    expect(new Set(probes)).toEqual(new Set([200]));
    expect(after).toBeGreaterThan(0.6 * before);
    expect(outcomes.at(-1)!.statuses['503']).toBeUndefined();
  });

  it('goes on with a gRPC stream in the flood, which waits for its turns and keeps nobody else out', async () => {
    const before = await capacity();
    const flooding = load({ connections: 1500, seconds: 8, perSecond: 4 * before });
    const isOver = settled(flooding);
    const stream = new NotarizeStream(grpc, {
      authorization: `Bearer ${world.principal.client.key}`,
    }).read();
    let sent = 0;
    while (!isOver()) {
      // The client of grpc-js keeps a megabyte for itself before it feels that the service takes no more.
      if (sent - stream.receipts.length < 1_000)
        stream.write(statementBytes(String(sent++), { platformRef: 'stream' }));
      else await sleep(5);
      if (sent % 50 === 0) await setImmediate();
    }
    const flood = await flooding;
    // Whatever did not come through in the flood comes through now.
    expect((await stream.end()).code).toBe(status.OK);
    expect(stream.receipts.map(({ messageId }) => Number(messageId))).toEqual([
      ...Array(sent).keys(),
    ]);
    const refused = stream.receipts.flatMap(({ outcome }) =>
      outcome.case === 'error' ? [outcome.value] : [],
    );
    receipts += sent - refused.length;
    for (const { code, retryable } of refused)
      expect([code, retryable]).toEqual(['SERVICE_UNAVAILABLE', true]);
    expect(receipts).toBeGreaterThan(before);
    // Nor does the stream keep others out, or make them wait.
    expect(flood.statuses['201']).toBeGreaterThan(before);
    expect(Object.keys(flood.statuses).sort()).toEqual(['201', '503']);
    // Three busy processes share the cores here, so the slowest calls say more about the machine.
    expect(flood.p50).toBeLessThan(4 * MAX_QUEUE_MS);
    expect(flood).toMatchObject({ broken: 0, unanswered: 0, withoutRetryAfter: 0 });
  }, 90_000);

  it('has stored each record that it acknowledged, and none that it refused', async () => {
    const stored = await readStored(database);
    expect(stored.faults).toEqual([]);
    const acknowledged = outcomes.reduce((sum, { statuses }) => sum + (statuses['201'] ?? 0), 0);
    expect(stored.records.size).toBe(acknowledged + receipts);
  }, 90_000);
});

/** Whether it has ended by now. */
const settled = (work: Promise<unknown>): (() => boolean) => {
  let isOver = false;
  void work.finally(() => (isOver = true));
  return () => isOver;
};
