import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/databases.ts';
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

  beforeAll(async () => {
    database = await databases()[0]!.open({ migrated: false });
    service = new ServiceProcess({
      DATABASE_URL: database.url,
      MAX_QUEUE_MS: String(MAX_QUEUE_MS),
      MAX_CONNECTIONS_PER_ADDRESS: '0',
      ...freshSecrets(),
    });
    const { apiKey } = await service.bootstrap();
    await service.start();
    world = await createWorld(service.url, apiKey);
    await load({ connections: 64, seconds: 2 });
  });
  afterAll(async () => {
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
    let isOver = false;
    void work.finally(() => (isOver = true));
    const statuses: number[] = [];
    const health = new Client(service.url, null);
    while (!isOver)
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

  it('has stored each record that it acknowledged, and none that it refused', async () => {
    const stored = await readStored(database);
    expect(stored.faults).toEqual([]);
    const acknowledged = outcomes.reduce((sum, { statuses }) => sum + (statuses['201'] ?? 0), 0);
    expect(stored.records.size).toBe(acknowledged);
  });
});
