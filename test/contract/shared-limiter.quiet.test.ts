import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RedisStore } from '../../adapters/limits/redis-store.ts';
import { SharedLimiter } from '../../adapters/limits/shared-limiter.ts';
import { SlidingWindowLimiter } from '../../adapters/limits/sliding-window.ts';
import type { RateDecision } from '../../application/ports/rate-limiter.port.ts';
import type { Log } from '../../application/ports/log.port.ts';
import { hasRedis, RedisServer, until } from '../support/peers/redis-server.ts';

// Contract of application/ports/rate-limiter.port.ts

const told: string[] = [];
const log = {
  debug: () => undefined,
  info: (_: object, message: string) => told.push(message),
  warn: (_: object, message: string) => told.push(message),
  error: (_: object, message: string) => told.push(message),
} as unknown as Log;

describe.skipIf(!hasRedis())('limits that two nodes share', () => {
  let server: RedisServer;
  let secret: Uint8Array;
  let nodes: readonly [SharedLimiter, SharedLimiter];

  beforeAll(async () => {
    server = await RedisServer.open();
  });
  afterAll(() => server.drop());

  const node = (key = secret): SharedLimiter =>
    new SharedLimiter(
      new SlidingWindowLimiter(),
      () => Promise.resolve(new RedisStore(server.url, key)),
      log,
    );

  beforeEach(async () => {
    secret = randomBytes(32);
    nodes = [node(), node()];
    await Promise.all(nodes.map((one) => one.start()));
    told.length = 0;
  });
  afterEach(async () => {
    for (const one of nodes) one.stop();
    server.thaw();
    await until(() => {
      if (server.tell('PING') !== 'PONG') throw new Error('Redis is not back');
      return Promise.resolve();
    });
  });

  const hit = async (one: SharedLimiter, limit: number, key = 'key'): Promise<RateDecision> =>
    one.hitAll([
      { key, limit },
      { key: 'org', limit: 1000 },
    ]);

  const timed = async <T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> => {
    const begun = performance.now();
    const value = await work();
    return { ms: performance.now() - begun, value };
  };

  const settled = (away: boolean): Promise<void> =>
    expect.poll(() => nodes.map(({ isAway }) => isAway)).toEqual([away, away]);

  it('lets exactly as many calls through as the limit says, whichever node they come to', async () => {
    const calls = Array.from({ length: 400 }, (_, at) => hit(nodes[at % 2]!, 90));
    const answers = await Promise.all(calls);
    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(90);
    for (const { allowed, retryAfterSeconds } of answers)
      if (!allowed) expect(retryAfterSeconds).toBeGreaterThan(0);
    // A refused call counts in no window of its own.
    expect(await nodes[0].peek([{ key: 'org', limit: 1000 }])).toMatchObject({ remaining: 910 });
  });

  it('keeps deployments with other secrets apart, and tells a reader of the store nothing', async () => {
    const other = node(randomBytes(32));
    await other.start();
    expect((await hit(nodes[0], 1, 'key:0198c0de')).allowed).toBe(true);
    expect((await hit(other, 1, 'key:0198c0de')).allowed).toBe(true);
    other.stop();
    const keys = server.tell('KEYS', '*');
    expect(keys).toMatch(/^\{notary-limits\}:[\w-]{43}$/m);
    expect(keys).not.toContain('0198c0de');
    for (const key of keys.split('\n')) {
      const ttl = Number(server.tell('PTTL', key));
      expect(ttl).toBeGreaterThan(0);
      expect(ttl).toBeLessThanOrEqual(60_000);
    }
  });

  it('opens a breaker at the first time-out of a frozen store: nobody waits again, and counts go on where they are', async () => {
    for (let i = 0; i < 6; i++) await hit(nodes[0], 10);
    server.freeze();
    const first = await timed(() =>
      Promise.all(Array.from({ length: 50 }, () => hit(nodes[0], 10))),
    );
    expect(first.ms).toBeLessThan(500);
    expect(first.value.filter(({ allowed }) => allowed)).toHaveLength(4);
    const after = await timed(async () => {
      for (let i = 0; i < 200; i++) await hit(nodes[0], 1000, 'another');
    });
    // Each of them would have waited 50 ms: 10 s.
    expect(after.ms).toBeLessThan(500);
    expect(nodes[0].isAway).toBe(true);
    expect(told.filter((line) => line.includes('is away'))).toHaveLength(1);
    server.thaw();
    await expect.poll(() => nodes[0].isAway).toBe(false);
  });

  it('counts together again once the store is back', async () => {
    server.freeze();
    await Promise.all(nodes.map((one) => hit(one, 5, 'warm')));
    await settled(true);
    server.thaw();
    await settled(false);
    const calls = Array.from({ length: 40 }, (_, at) => hit(nodes[at % 2]!, 11, 'fresh'));
    const answers = await Promise.all(calls);
    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(11);
  });

  it('outlives a store that is killed and comes back empty', async () => {
    for (let i = 0; i < 5; i++) await hit(nodes[0], 5);
    await server.kill();
    await sleep(50);
    const answer = await timed(() => hit(nodes[0], 5));
    expect(answer.value.allowed).toBe(false);
    expect(answer.ms).toBeLessThan(250);
    await hit(nodes[1], 5);
    await settled(true);
    await server.start();
    await settled(false);
    // What this node let through, it remembers.
    expect((await hit(nodes[0], 5)).allowed).toBe(false);
  });

  it('starts while the store is away, and counts for itself', async () => {
    await server.kill();
    const early = node();
    const begun = await timed(() => early.start());
    expect(begun.ms).toBeLessThan(4_000);
    expect((await hit(early, 1)).allowed).toBe(true);
    expect((await hit(early, 1)).allowed).toBe(false);
    await server.start();
    await expect.poll(() => early.isAway).toBe(false);
    early.stop();
  });
});
