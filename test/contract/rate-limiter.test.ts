import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RedisStore } from '../../adapters/limits/redis-store.ts';
import { SlidingWindowLimiter } from '../../adapters/limits/sliding-window.ts';
import type {
  RateDecision,
  RateLimiter,
  RateWindow,
} from '../../application/ports/rate-limiter.port.ts';
import { hasRedis, RedisServer, until } from '../support/peers/redis-server.ts';

// Contract of application/ports/rate-limiter.port.ts

/** The window alone: what stands before it, where counts are shared, is in shared-limiter.test.ts. */
type Windows = Pick<RateLimiter, 'hitAll' | 'peek'>;

class Limiter {
  constructor(private readonly windows: Windows) {}

  async hit(key: string, limit: number, cost = 1): Promise<RateDecision> {
    return this.windows.hitAll([{ key, limit }], cost);
  }

  async hitAll(windows: readonly RateWindow[], cost?: number): Promise<RateDecision> {
    return this.windows.hitAll(windows, cost);
  }

  async peek(windows: readonly RateWindow[], cost?: number): Promise<RateDecision> {
    return this.windows.peek(windows, cost);
  }
}

interface Rig {
  readonly limiter: Limiter;
  pass(ms: number): void;
}

interface Kind {
  readonly name: string;
  open(): Promise<void>;
  windows(now: () => number): Windows;
  close(): Promise<void>;
}

const memory: Kind = {
  name: 'memory',
  open: () => Promise.resolve(),
  windows: (now) => new SlidingWindowLimiter(now),
  close: () => Promise.resolve(),
};

const redis = (): Kind => {
  let server: RedisServer;
  let now = (): number => 0;
  let store: RedisStore;
  return {
    name: 'redis',
    open: async () => {
      server = await RedisServer.open();
      store = new RedisStore(server.url, new Uint8Array(32), () => now());
      await until(() => store.ping());
    },
    windows: (time) => {
      now = time;
      // Each rig has a time of its own, and keys of its own.
      const own = randomUUID();
      const named = (windows: readonly RateWindow[]): readonly RateWindow[] =>
        windows.map((window) => ({ ...window, key: `${own} ${window.key}` }));
      return {
        hitAll: (windows, cost = 1) => store.window.ask(named(windows), cost, true),
        peek: (windows, cost = 1) => store.window.ask(named(windows), cost, false),
      };
    },
    close: async () => {
      store.close();
      await server.drop();
    },
  };
};

const kinds = [memory, ...(hasRedis() ? [redis()] : [])];

describe.each(kinds)('a sliding window in $name', (kind) => {
  beforeAll(() => kind.open());
  afterAll(() => kind.close());

  const make = (): Rig => {
    let now = 1_000_123.4;
    return {
      limiter: new Limiter(kind.windows(() => now)),
      pass: (ms) => {
        now += ms;
      },
    };
  };

  it('allows the limit, then refuses and says how long to wait', async () => {
    const { limiter, pass } = make();
    for (let left = 2; left >= 0; left--)
      expect(await limiter.hit('key', 3)).toEqual({
        allowed: true,
        limit: 3,
        remaining: left,
        resetSeconds: 60,
        retryAfterSeconds: 0,
      });
    pass(10_000);
    expect(await limiter.hit('key', 3)).toEqual({
      allowed: false,
      limit: 3,
      remaining: 0,
      resetSeconds: 50,
      retryAfterSeconds: 50,
    });
  });

  it('lets no second burst through at the edge of a minute', async () => {
    const { limiter, pass } = make();
    for (let i = 0; i < 100; i++) await limiter.hit('key', 100);
    pass(59_000);
    expect((await limiter.hit('key', 100)).allowed).toBe(false);
    pass(1_000);
    expect((await limiter.hit('key', 100)).allowed).toBe(true);
  });

  it('allows the call that comes after exactly the seconds it announced', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 1, max: 4 })), {
          maxLength: 60,
        }),
        async (calls) => {
          const { limiter, pass } = make();
          for (const [wait, cost] of calls) {
            pass(wait);
            const decision = await limiter.hit('key', 7, cost);
            expect(decision.retryAfterSeconds).toBeLessThanOrEqual(60);
            if (decision.allowed) continue;
            pass(decision.retryAfterSeconds * 1000);
            expect((await limiter.hit('key', 7, cost)).allowed).toBe(true);
          }
        },
      ),
    );
  });

  it('never allows more than the limit in any 60 seconds', async () => {
    const wait = fc.oneof(
      fc.integer({ min: 0, max: 700 }),
      fc.integer({ min: 0, max: 9_000 }),
      fc.integer({ min: 58_000, max: 60_000 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(wait, fc.integer({ min: 1, max: 5 })), { minLength: 20, maxLength: 200 }),
        async (calls) => {
          const { limiter, pass } = make();
          const allowed: { at: number; cost: number }[] = [];
          let at = 0;
          for (const [gap, cost] of calls) {
            pass(gap);
            at += gap;
            if ((await limiter.hit('key', 12, cost)).allowed) allowed.push({ at, cost });
          }
          for (const { at: end } of allowed) {
            const within = allowed.filter((call) => call.at > end - 60_000 && call.at <= end);
            expect(within.reduce((sum, call) => sum + call.cost, 0)).toBeLessThanOrEqual(12);
          }
        },
      ),
    );
  });

  it('keeps calls of one second together until the last of them is a minute old', async () => {
    const { limiter, pass } = make();
    await limiter.hit('key', 2);
    pass(700);
    await limiter.hit('key', 2);
    pass(59_999);
    expect(await limiter.hit('key', 2)).toMatchObject({
      allowed: false,
      remaining: 0,
      retryAfterSeconds: 1,
    });
    pass(1);
    expect((await limiter.hit('key', 2, 2)).allowed).toBe(true);
  });

  it('loses at most one second of allowance against a window that keeps every call', async () => {
    const { limiter, pass } = make();
    await limiter.hit('key', 2);
    pass(900);
    await limiter.hit('key', 2);
    pass(60_000);
    expect((await limiter.hit('key', 2, 2)).allowed).toBe(true);
  });

  it('counts a refused call nowhere', async () => {
    const { limiter, pass } = make();
    await limiter.hit('key', 2, 2);
    pass(30_000);
    for (let i = 0; i < 50; i++) await limiter.hit('key', 2);
    pass(30_000);
    expect((await limiter.hit('key', 2, 2)).allowed).toBe(true);
  });

  it('counts in all windows or in none, and answers with the tightest', async () => {
    const { limiter } = make();
    const windows = [
      { key: 'key', limit: 10 },
      { key: 'org', limit: 3 },
      { key: 'route', limit: 5 },
    ];
    expect(await limiter.hitAll(windows, 2)).toMatchObject({
      allowed: true,
      limit: 3,
      remaining: 1,
    });
    expect(await limiter.hitAll(windows, 2)).toMatchObject({
      allowed: false,
      limit: 3,
      remaining: 1,
      retryAfterSeconds: 60,
    });
    expect(await limiter.peek([{ key: 'key', limit: 10 }])).toMatchObject({ remaining: 8 });
    expect(await limiter.peek([{ key: 'route', limit: 5 }])).toMatchObject({ remaining: 3 });
  });

  it('names the longest wait where several windows refuse', async () => {
    const { limiter, pass } = make();
    await limiter.hit('a', 1);
    pass(20_000);
    await limiter.hit('b', 1);
    const windows = [
      { key: 'a', limit: 1 },
      { key: 'b', limit: 1 },
    ];
    expect(await limiter.peek(windows)).toMatchObject({ allowed: false, retryAfterSeconds: 60 });
    expect(await limiter.peek(windows.toReversed())).toMatchObject({
      allowed: false,
      retryAfterSeconds: 60,
    });
  });

  it('counts nothing on a look', async () => {
    const { limiter } = make();
    for (let i = 0; i < 10; i++)
      expect(await limiter.peek([{ key: 'key', limit: 1 }])).toMatchObject({
        allowed: true,
        remaining: 1,
        resetSeconds: 0,
      });
  });

  it('has no limit where the limit is 0, and says so by limit 0', async () => {
    const { limiter } = make();
    for (let i = 0; i < 1000; i++)
      expect(await limiter.hit('key', 0)).toEqual({
        allowed: true,
        limit: 0,
        remaining: 0,
        resetSeconds: 0,
        retryAfterSeconds: 0,
      });
    expect(
      await limiter.hitAll([
        { key: 'key', limit: 0 },
        { key: 'org', limit: 5 },
      ]),
    ).toMatchObject({ limit: 5, remaining: 4 });
  });

  it('refuses a cost above the limit, for ever', async () => {
    const { limiter, pass } = make();
    expect(await limiter.hit('key', 5, 6)).toMatchObject({
      allowed: false,
      remaining: 5,
      retryAfterSeconds: 60,
    });
    pass(60_000);
    expect((await limiter.hit('key', 5, 6)).allowed).toBe(false);
  });

  it('keeps keys apart', async () => {
    const { limiter } = make();
    expect((await limiter.hit('a', 1)).allowed).toBe(true);
    expect((await limiter.hit('b', 1)).allowed).toBe(true);
    expect((await limiter.hit('a', 1)).allowed).toBe(false);
  });
});
