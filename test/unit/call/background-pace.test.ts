import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BackgroundPace } from '../../../application/call/background-pace.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** Milliseconds that a run of so many batches of 10 ms takes. */
const timeOf = async (pace: BackgroundPace, batches: number): Promise<number> => {
  const began = performance.now();
  const breaks = pace.begin();
  for (let batch = 0; batch < batches; batch++) {
    vi.advanceTimersByTime(10);
    const paused = breaks.pause();
    await vi.runAllTimersAsync();
    await paused;
  }
  return Math.round(performance.now() - began);
};

describe('the pace of background work', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('waits for nobody while nobody calls', async () => {
    expect(await timeOf(new BackgroundPace(() => false, MINUTE), 100)).toBe(1_000);
  });

  it('takes a quarter of the time beside callers', async () => {
    expect(await timeOf(new BackgroundPace(() => true, MINUTE), 100)).toBe(4_000);
  });

  it('is free again as soon as nobody calls', async () => {
    let looks = 0;
    expect(await timeOf(new BackgroundPace(() => looks++ < 50, MINUTE), 100)).toBe(2_500);
  });

  it('never waits for more than it may in one run', async () => {
    expect(await timeOf(new BackgroundPace(() => true, 6_000), 1_000)).toBe(10_000 + 6_000);
  });

  it('of rounds never waits for more than a tenth of the interval, nor more than a minute, in one round', async () => {
    const ofRounds = (everyMs: number): BackgroundPace =>
      BackgroundPace.ofRounds(() => true, everyMs);
    expect(await timeOf(ofRounds(MINUTE), 1_000)).toBe(10_000 + 6_000);
    expect(await timeOf(ofRounds(24 * HOUR), 10_000)).toBe(100_000 + MINUTE);
  });
});
