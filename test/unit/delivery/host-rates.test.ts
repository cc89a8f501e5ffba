import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HostRates } from '../../../application/delivery/host-rates.ts';

const URL = 'https://receiver.example/hook';

/** Milliseconds of the clock that the turn takes, and what it gives. */
const timed = async <T>(turn: Promise<T>): Promise<readonly [T, number]> => {
  const began = performance.now();
  const timers = vi.runAllTimersAsync();
  const given = await turn;
  await timers;
  return [given, performance.now() - began];
};

describe('the attempts of an org to one host', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    // A process that has run for a while has a second of attempts to spend.
    vi.advanceTimersByTime(10_000);
  });
  afterEach(() => void vi.useRealTimers());

  it('are as many a second as the setting says, after a burst of one second', async () => {
    const rates = new HostRates(20);
    let took = 0;
    for (let n = 0; n < 40; n++) {
      const [given, ms] = await timed(rates.turn('org', URL));
      expect(given).toBe(true);
      took += ms;
    }
    expect(took).toBeGreaterThanOrEqual(900);
    expect(took).toBeLessThanOrEqual(1_000);
    expect(await timed(rates.turn('another org', URL))).toEqual([true, 0]);
  });

  it('are asked in a long wait whether they still want to go, and go no more if they do not', async () => {
    const rates = new HostRates(0.25);
    await rates.turn('org', URL);
    let asked = 0;
    const turn = rates.turn('org', URL, () => Promise.resolve(++asked < 2));
    expect(await timed(turn)).toEqual([false, 2_000]);
    expect(asked).toBe(2);
  });
});
