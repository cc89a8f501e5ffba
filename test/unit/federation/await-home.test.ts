import { describe, expect, it } from 'vitest';
import { AwaitHome } from '../../../application/federation/await-home.ts';

const RECORD = '018f0000-0000-7000-8000-000000000001';

describe('waiting for home', () => {
  it('ends as soon as this process heard of it', async () => {
    let isPending = true;
    const wait = new AwaitHome(() => Promise.resolve(isPending), 10_000);
    const began = performance.now();
    const answered = wait.until(RECORD, 1);
    setTimeout(() => {
      isPending = false;
      wait.moved(RECORD);
    }, 20);
    expect(await answered).toBe(true);
    expect(performance.now() - began).toBeLessThan(150);
    expect(wait.isAwaited).toBe(false);
  });

  it('looks for what another process did', async () => {
    let looks = 0;
    const wait = new AwaitHome(() => Promise.resolve(++looks < 3), 10_000);
    expect(await wait.until(RECORD, 1)).toBe(true);
  });

  it('ends when home takes too long, and leaves nothing behind', async () => {
    const wait = new AwaitHome(() => Promise.resolve(true), 300);
    expect(await wait.until(RECORD, 1)).toBe(false);
    expect(wait.isAwaited).toBe(false);
  });

  it('calls a step pending where the database does not answer', async () => {
    const wait = new AwaitHome(() => Promise.reject(new Error('away')), 300);
    expect(await wait.until(RECORD, 1)).toBe(false);
    expect(wait.isAwaited).toBe(false);
  });

  it('wakes every call that waits for the record, and no other', async () => {
    const pending = new Set([RECORD, 'other']);
    const wait = new AwaitHome((id) => Promise.resolve(pending.has(id)), 400);
    const both = Promise.all([wait.until(RECORD, 1), wait.until(RECORD, 1)]);
    const other = wait.until('other', 1);
    pending.delete(RECORD);
    wait.moved(RECORD);
    expect(await both).toEqual([true, true]);
    expect(await other).toBe(false);
  });
});
