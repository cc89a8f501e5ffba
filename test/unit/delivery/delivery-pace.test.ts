import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallsUnderWay } from '../../../application/call/calls-under-way.ts';
import { DeliveryPace } from '../../../application/delivery/delivery-pace.ts';

const QUEUES = 32;

/** Milliseconds of the clock that so many requests of many queues take if each is answered at once. */
const timeOf = async (pace: DeliveryPace, requests: number): Promise<number> => {
  const began = performance.now();
  let left = requests;
  const queue = async (): Promise<void> => {
    while (left-- > 0) await pace.turn();
  };
  const done = Promise.all(Array.from({ length: QUEUES }, queue));
  await vi.runAllTimersAsync();
  await done;
  return performance.now() - began;
};

describe('the pace of deliveries', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('does not wait while no caller waits', async () => {
    const calls = new CallsUnderWay();
    expect(await timeOf(new DeliveryPace(() => calls.areAny), 10_000)).toBe(0);
  });

  it('leaves 600 a second beside callers, and no fewer', async () => {
    const calls = new CallsUnderWay();
    const pace = new DeliveryPace(() => calls.areAny);
    const took = await calls.during(() => timeOf(pace, 300));
    // 300 requests take 500 ms, less the burst of 50 ms that leaves at once.
    expect(took).toBeGreaterThanOrEqual(440);
    expect(took).toBeLessThanOrEqual(500);
  });

  it('is free again as soon as the last call has its outcome, a refusal too', async () => {
    const calls = new CallsUnderWay();
    const pace = new DeliveryPace(() => calls.areAny);
    await expect(calls.during(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await timeOf(pace, 1_000)).toBe(0);
  });
});
