import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRedis, RedisServer } from '../support/peers/redis-server.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import {
  addAgent,
  Client,
  createWorld,
  ok,
  sleep,
  type Answer,
  type World,
} from '../support/service/world.ts';

const LIMIT = 60;

describe.skipIf(!hasRedis())('two nodes that share their rate limits', () => {
  let redis: RedisServer;
  let nodes: readonly [ServiceProcess, ServiceProcess];
  let world: World;

  beforeAll(async () => {
    redis = await RedisServer.open();
    const env = {
      RATE_LIMIT_STORE: 'redis',
      REDIS_URL: redis.url,
      RATE_LIMIT_AGENT: String(LIMIT),
      RATE_LIMIT_ANONYMOUS: '30',
    };
    const first = new ServiceProcess({ ...env, ROLE: 'api' });
    const second = new ServiceProcess({ ...env, ROLE: 'api' }, first.directory);
    nodes = [first, second];
    const { apiKey } = await first.bootstrap();
    for (const node of nodes) await node.start();
    world = await createWorld(first.url, apiKey);
  });
  afterAll(async () => {
    redis.thaw();
    for (const node of nodes) await node.stop();
    await redis.drop();
    rmSync(nodes[0].directory, { recursive: true, force: true });
  });

  const reads = (key: string, count: number): Promise<readonly Answer[]> =>
    Promise.all(
      Array.from({ length: count }, (_, at) =>
        new Client(nodes[at % 2]!.url, key).get('/v1/records?limit=1'),
      ),
    );
  const count = (answers: readonly Answer[], status: number): number =>
    answers.filter((answer) => answer.status === status).length;

  const health = async (node: ServiceProcess): Promise<unknown> =>
    (await new Client(node.url, null).get('/health')).body['status'];

  const timesAway = (): number =>
    nodes
      .flatMap(({ logged }) => logged)
      .filter(({ msg }) => String(msg).startsWith('the store of shared rate limits is away'))
      .length;

  /** A Redis that has no core for 50 ms is away for the nodes, which count for themselves then: what was seen meanwhile is seen again. */
  const whileShared = async (see: () => Promise<void>): Promise<void> => {
    for (;;) {
      await expect.poll(() => Promise.all(nodes.map(health))).toEqual(['ok', 'ok']);
      const before = timesAway();
      try {
        return await see();
      } catch (error) {
        // The line is read a moment after it was written.
        await sleep(500);
        if (timesAway() === before) throw error;
      }
    }
  };

  it('let exactly the limit through between them, and say when there is room again', () =>
    whileShared(async () => {
      const { key } = (await addAgent(world.admin, world.orgId, 'counted')).client;
      const answers = await reads(key!, 3 * LIMIT);
      expect(count(answers, 200)).toBe(LIMIT);
      expect(count(answers, 429)).toBe(2 * LIMIT);
      for (const { status, headers } of answers) {
        expect(headers.get('x-ratelimit-limit')).toBe(String(LIMIT));
        if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
    }));

  it('count nobody who is exempt, on either of them, until it is limited again', async () => {
    let bulk!: Awaited<ReturnType<typeof addAgent>>;
    await whileShared(async () => {
      bulk = await addAgent(world.admin, world.orgId, 'bulk');
      expect(count(await reads(bulk.client.key!, LIMIT + 2), 429)).toBe(2);
    });
    const path = `/v1/admin/rate-limit-exemptions/${bulk.id}`;
    const key = bulk.client.key!;
    await ok(world.platform.call('PUT', path));
    // Their window stays full for most of a minute.
    await expect.poll(async () => count(await reads(key, 6), 200)).toBe(6);
    expect(count(await reads(key, 3 * LIMIT), 200)).toBe(3 * LIMIT);
    await ok(world.platform.call('DELETE', path));
    await expect.poll(async () => count(await reads(key, 2 * LIMIT), 429)).toBeGreaterThan(0);
  });

  it('count the failed credentials of an address together', async () => {
    const statuses: number[] = [];
    for (let at = 0; at < 45; at++) {
      const stranger = new Client(nodes[at % 2]!.url, 'notary_live_no_such_key');
      statuses.push((await stranger.get('/v1/records?limit=1')).status);
    }
    expect(statuses).toEqual([...Array<number>(30).fill(401), ...Array<number>(15).fill(429)]);
    // Who was let in before goes on.
    expect((await world.admin.get('/v1/records?limit=1')).status).toBe(200);
  });

  it('serve every call while Redis is frozen, none of them slowly, say so in /health, and share again afterwards', async () => {
    await expect.poll(() => Promise.all(nodes.map(health))).toEqual(['ok', 'ok']);
    const counted = await addAgent(world.admin, world.orgId, 'counted');
    const took = { counted: [] as number[], unlimited: [] as number[] };
    const ask = async (by: keyof typeof took, node: ServiceProcess): Promise<number> => {
      const key = by === 'counted' ? counted.client.key : world.admin.key;
      const begun = performance.now();
      const { status } = await new Client(node.url, key).get('/v1/records?limit=1');
      took[by].push(performance.now() - begun);
      return status;
    };
    redis.freeze();
    try {
      const statuses: number[] = [];
      // In turns with calls that no limit counts, so that a machine that slows down slows both. Each node counts half of them.
      for (let i = 0; i < 100; i++)
        for (const by of ['counted', 'unlimited'] as const)
          statuses.push(await ask(by, nodes[i % 2]!));
      expect(new Set(statuses)).toEqual(new Set([200]));
      // A call that waits for Redis waits 50 ms; the first one to a node may.
      expect(median(took.counted)).toBeLessThan(median(took.unlimited) + 35);
      expect(await Promise.all(nodes.map(health))).toEqual(['degraded', 'degraded']);
      const { body } = await new Client(nodes[0].url, null).get('/readyz');
      expect(body['status']).toBe('ready');
      // The limits of each node hold meanwhile.
      const answers = await reads(world.performer.client.key!, 3 * LIMIT);
      expect(count(answers, 200)).toBeLessThanOrEqual(2 * LIMIT);
      expect(count(answers, 429)).toBeGreaterThanOrEqual(LIMIT);
    } finally {
      redis.thaw();
    }
    await expect.poll(() => Promise.all(nodes.map(health))).toEqual(['ok', 'ok']);
  });
});

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
