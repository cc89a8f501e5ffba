import { describe, expect, it } from 'vitest';
import { CallsUnderWay } from '../../../application/call/calls-under-way.ts';
import { DeliveryPace } from '../../../application/delivery/delivery-pace.ts';

const LANES = 32;

/** Milliseconds that so many requests of many lanes take which are answered at once. */
const timeOf = async (pace: DeliveryPace, requests: number): Promise<number> => {
  const began = performance.now();
  let left = requests;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await pace.turn();
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return performance.now() - began;
};

describe('the pace of deliveries', () => {
  it('waits for nobody while nobody calls', async () => {
    const calls = new CallsUnderWay();
    expect(await timeOf(new DeliveryPace(() => calls.areAny), 10_000)).toBeLessThan(500);
  });

  it('leaves 600 a second beside callers, and no fewer', async () => {
    const calls = new CallsUnderWay();
    const pace = new DeliveryPace(() => calls.areAny);
    const took = await calls.during(() => timeOf(pace, 300));
    // What 50 ms hold may leave at once.
    expect(took).toBeGreaterThan(440);
    expect(took).toBeLessThan(600);
  });

  it('is free again as soon as the last call has its outcome, a refusal too', async () => {
    const calls = new CallsUnderWay();
    const pace = new DeliveryPace(() => calls.areAny);
    await expect(calls.during(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await timeOf(pace, 1_000)).toBeLessThan(200);
  });
});
