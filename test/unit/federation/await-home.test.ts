import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { AwaitHome, WAITING_AT_ONCE } from '../../../application/sharing/await-home.ts';

const RECORD = '018f0000-0000-7000-8000-000000000001';
const STEP = { peerHubId: 'home', recordId: RECORD, sequence: 1 };

describe('waiting for home', () => {
  it('ends as soon as this process heard of it', async () => {
    let isPending = true;
    const wait = new AwaitHome(() => Promise.resolve(isPending), 10_000);
    vi.useFakeTimers();
    try {
      const answered = wait.until(STEP);
      await vi.advanceTimersByTimeAsync(20);
      isPending = false;
      wait.moved(RECORD);
      // The clock stands still, so no timer of the wait can have run.
      expect(await answered).toBe(true);
    } finally {
      vi.useRealTimers();
    }
    expect(wait.isAwaited).toBe(false);
  });

  it('looks for what another process did', async () => {
    let looks = 0;
    const wait = new AwaitHome(() => Promise.resolve(++looks < 3), 10_000);
    expect(await wait.until(STEP)).toBe(true);
  });

  it('ends when home takes too long, and leaves nothing behind', async () => {
    const wait = new AwaitHome(() => Promise.resolve(true), 300);
    expect(await wait.until(STEP)).toBe(false);
    expect(wait.isAwaited).toBe(false);
  });

  it('calls a step pending where the database does not answer', async () => {
    const wait = new AwaitHome(() => Promise.reject(new Error('away')), 300);
    expect(await wait.until(STEP)).toBe(false);
    expect(wait.isAwaited).toBe(false);
  });

  it('wakes every call that waits for the record, and no other', async () => {
    const pending = new Set([RECORD, 'other']);
    const wait = new AwaitHome((id) => Promise.resolve(pending.has(id)), 400);
    const both = Promise.all([wait.until(STEP), wait.until(STEP)]);
    const other = wait.until({ ...STEP, recordId: 'other' });
    pending.delete(RECORD);
    wait.moved(RECORD);
    expect(await both).toEqual([true, true]);
    expect(await other).toBe(false);
  });

  it('holds no more calls for one home than a few, and tells the others at once that the step is pending', async () => {
    const wait = new AwaitHome(({ length }) => Promise.resolve(length > 0), 300);
    const full = Array.from({ length: WAITING_AT_ONCE }, () => wait.until(STEP));
    const first = async (...calls: readonly Promise<unknown>[]): Promise<number> =>
      Promise.race(calls.map((call, at) => call.then(() => at)));
    const beyond = wait.until(STEP);
    expect(await first(full[0]!, beyond)).toBe(1);
    expect(await beyond).toBe(false);
    expect(await wait.until({ ...STEP, peerHubId: 'another', recordId: '' })).toBe(true);
    expect(new Set(await Promise.all(full))).toEqual(new Set([false]));
    expect(await first(wait.until(STEP), sleep(50))).toBe(1);
  });
});
