import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SlidingWindowLimiter } from '../../../adapters/limits/sliding-window.ts';

// Contract of application/limits/rate-limiter.port.ts

const make = (maxKeys?: number): { limiter: SlidingWindowLimiter; pass(ms: number): void } => {
  let now = 1_000_123.4;
  return {
    limiter: new SlidingWindowLimiter(() => now, maxKeys),
    pass: (ms) => {
      now += ms;
    },
  };
};

describe('SlidingWindowLimiter', () => {
  it('allows the limit, then refuses and says how long to wait', () => {
    const { limiter, pass } = make();
    for (let left = 2; left >= 0; left--)
      expect(limiter.hit('key', 3)).toEqual({
        allowed: true,
        limit: 3,
        remaining: left,
        resetSeconds: 60,
        retryAfterSeconds: 0,
      });
    pass(10_000);
    expect(limiter.hit('key', 3)).toEqual({
      allowed: false,
      limit: 3,
      remaining: 0,
      resetSeconds: 50,
      retryAfterSeconds: 50,
    });
  });

  it('lets no second burst through at the edge of a minute', () => {
    const { limiter, pass } = make();
    for (let i = 0; i < 100; i++) limiter.hit('key', 100);
    pass(59_000);
    expect(limiter.hit('key', 100).allowed).toBe(false);
    pass(1_000);
    expect(limiter.hit('key', 100).allowed).toBe(true);
  });

  it('allows the call that comes after exactly the seconds it announced', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 1, max: 4 })), {
          maxLength: 60,
        }),
        (calls) => {
          const { limiter, pass } = make();
          for (const [wait, cost] of calls) {
            pass(wait);
            const decision = limiter.hit('key', 7, cost);
            expect(decision.retryAfterSeconds).toBeLessThanOrEqual(60);
            if (decision.allowed) continue;
            pass(decision.retryAfterSeconds * 1000);
            expect(limiter.hit('key', 7, cost).allowed).toBe(true);
          }
        },
      ),
    );
  });

  it('never allows more than the limit in any 60 seconds', () => {
    const wait = fc.oneof(
      fc.integer({ min: 0, max: 700 }),
      fc.integer({ min: 0, max: 9_000 }),
      fc.integer({ min: 58_000, max: 60_000 }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(wait, fc.integer({ min: 1, max: 5 })), { minLength: 20, maxLength: 200 }),
        (calls) => {
          const { limiter, pass } = make();
          const allowed: { at: number; cost: number }[] = [];
          let at = 0;
          for (const [gap, cost] of calls) {
            pass(gap);
            at += gap;
            if (limiter.hit('key', 12, cost).allowed) allowed.push({ at, cost });
          }
          for (const { at: end } of allowed) {
            const within = allowed.filter((call) => call.at > end - 60_000 && call.at <= end);
            expect(within.reduce((sum, call) => sum + call.cost, 0)).toBeLessThanOrEqual(12);
          }
        },
      ),
    );
  });

  it('keeps calls of one second together until the last of them is a minute old', () => {
    const { limiter, pass } = make();
    limiter.hit('key', 2);
    pass(700);
    limiter.hit('key', 2);
    pass(59_999);
    expect(limiter.hit('key', 2)).toMatchObject({
      allowed: false,
      remaining: 0,
      retryAfterSeconds: 1,
    });
    pass(1);
    expect(limiter.hit('key', 2, 2).allowed).toBe(true);
  });

  it('loses at most one second of allowance against a window that keeps every call', () => {
    const { limiter, pass } = make();
    limiter.hit('key', 2);
    pass(900);
    limiter.hit('key', 2);
    pass(60_000);
    expect(limiter.hit('key', 2, 2).allowed).toBe(true);
  });

  it('counts a refused call nowhere', () => {
    const { limiter, pass } = make();
    limiter.hit('key', 2, 2);
    pass(30_000);
    for (let i = 0; i < 50; i++) limiter.hit('key', 2);
    pass(30_000);
    expect(limiter.hit('key', 2, 2).allowed).toBe(true);
  });

  it('counts in all windows or in none, and answers with the tightest', () => {
    const { limiter } = make();
    const windows = [
      { key: 'key', limit: 10 },
      { key: 'org', limit: 3 },
      { key: 'route', limit: 5 },
    ];
    expect(limiter.hitAll(windows, 2)).toMatchObject({ allowed: true, limit: 3, remaining: 1 });
    expect(limiter.hitAll(windows, 2)).toMatchObject({
      allowed: false,
      limit: 3,
      remaining: 1,
      retryAfterSeconds: 60,
    });
    expect(limiter.peek([{ key: 'key', limit: 10 }])).toMatchObject({ remaining: 8 });
    expect(limiter.peek([{ key: 'route', limit: 5 }])).toMatchObject({ remaining: 3 });
  });

  it('names the longest wait where several windows refuse', () => {
    const { limiter, pass } = make();
    limiter.hit('a', 1);
    pass(20_000);
    limiter.hit('b', 1);
    const windows = [
      { key: 'a', limit: 1 },
      { key: 'b', limit: 1 },
    ];
    expect(limiter.peek(windows)).toMatchObject({ allowed: false, retryAfterSeconds: 60 });
    expect(limiter.peek(windows.toReversed())).toMatchObject({
      allowed: false,
      retryAfterSeconds: 60,
    });
  });

  it('counts nothing on a look', () => {
    const { limiter } = make();
    for (let i = 0; i < 10; i++)
      expect(limiter.peek([{ key: 'key', limit: 1 }])).toMatchObject({
        allowed: true,
        remaining: 1,
        resetSeconds: 0,
      });
    expect(limiter.size).toBe(0);
  });

  it('has no limit where the limit is 0, and says so by limit 0', () => {
    const { limiter } = make();
    for (let i = 0; i < 1000; i++)
      expect(limiter.hit('key', 0)).toEqual({
        allowed: true,
        limit: 0,
        remaining: 0,
        resetSeconds: 0,
        retryAfterSeconds: 0,
      });
    expect(
      limiter.hitAll([
        { key: 'key', limit: 0 },
        { key: 'org', limit: 5 },
      ]),
    ).toMatchObject({ limit: 5, remaining: 4 });
    expect(limiter.size).toBe(1);
  });

  it('refuses a cost above the limit, for ever', () => {
    const { limiter, pass } = make();
    expect(limiter.hit('key', 5, 6)).toMatchObject({
      allowed: false,
      remaining: 5,
      retryAfterSeconds: 60,
    });
    pass(60_000);
    expect(limiter.hit('key', 5, 6).allowed).toBe(false);
  });

  it('keeps keys apart', () => {
    const { limiter } = make();
    expect(limiter.hit('a', 1).allowed).toBe(true);
    expect(limiter.hit('b', 1).allowed).toBe(true);
    expect(limiter.hit('a', 1).allowed).toBe(false);
  });

  it('forgets idle keys', () => {
    const { limiter, pass } = make();
    for (let i = 0; i < 1000; i++) limiter.hit(`key ${i}`, 5);
    pass(61_000);
    limiter.hit('another', 5);
    expect(limiter.size).toBe(1);
  });

  it('holds no more keys than its bound, and keeps those in use', () => {
    const { limiter, pass } = make(100);
    for (let i = 0; i < 5000; i++) {
      pass(30);
      limiter.hit('busy', 1_000_000);
      limiter.hit(`flood ${i}`, 5);
      expect(limiter.size).toBeLessThanOrEqual(100);
    }
    expect(limiter.peek([{ key: 'busy', limit: 1_000_000 }]).remaining).toBeLessThan(
      1_000_000 - 1900,
    );
  });
});
