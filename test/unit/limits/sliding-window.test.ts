import { describe, expect, it } from 'vitest';
import { SlidingWindowLimiter } from '../../../adapters/limits/sliding-window.ts';

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
  it('keeps nothing of a look, nor of a limit that is off', () => {
    const { limiter } = make();
    limiter.peek([{ key: 'key', limit: 1 }]);
    limiter.hit('key', 0);
    expect(limiter.size).toBe(0);
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
