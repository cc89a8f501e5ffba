import { describe, expect, it } from 'vitest';
import { ChangeNotices } from '../../adapters/cache/change-notices.ts';
import { CachedExemptOwners } from '../../adapters/cache/exempt-owners.ts';

// Contract of application/ports/exempt-owners.port.ts

/** Rows that a test changes, and a clock that it moves. */
const given = (...stored: readonly string[]) => {
  const state = { now: 0, stored, reads: 0, isAway: false, isSilent: false };
  let late = (): void => undefined;
  const notices = new ChangeNotices();
  const owners = new CachedExemptOwners(
    {
      owners: () => {
        state.reads++;
        const { stored: found } = state;
        if (state.isSilent)
          return new Promise<ReadonlySet<string>>((resolve) => {
            late = () => resolve(new Set(found));
          });
        return state.isAway
          ? Promise.reject(new Error('away'))
          : Promise.resolve(new Set(state.stored));
      },
    },
    notices,
    () => state.now,
  );
  return { state, notices, owners, answerLate: () => late() };
};
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('owners that no rate limit counts', () => {
  it('are read for the first call, and known at once for the next', async () => {
    const { state, owners } = given('a');
    const first = owners.isExempt('a');
    expect(first).toBeInstanceOf(Promise);
    expect(await first).toBe(true);
    expect([owners.isExempt('a'), owners.isExempt('b')]).toEqual([true, false]);
    expect(state.reads).toBe(1);
  });

  it('share one reading, however many ask', async () => {
    const { state, owners } = given('a');
    expect(await Promise.all(['a', 'b', 'a'].map(async (id) => owners.isExempt(id)))).toEqual([
      true,
      false,
      true,
    ]);
    expect(state.reads).toBe(1);
  });

  it('are read anew beside the calls, so that none of them waits and none knows what is a second old', async () => {
    const { state, owners } = given('a');
    await owners.isExempt('a');
    state.stored = [];
    state.now = 899;
    expect(owners.isExempt('a')).toBe(true);
    await settled();
    expect(owners.isExempt('a')).toBe(false);
    expect(state.reads).toBe(2);
  });

  it('are waited for after a pause', async () => {
    const { state, owners } = given();
    await owners.isExempt('a');
    state.stored = ['a'];
    state.now = 900;
    expect(await owners.isExempt('a')).toBe(true);
  });

  it('cost nothing while nobody calls', async () => {
    const { state, owners } = given('a');
    await owners.isExempt('a');
    state.now = 60_000;
    await settled();
    expect(state.reads).toBe(1);
  });

  it('are read anew at once where this node changed them, also while they are being read', async () => {
    const { state, notices, owners } = given();
    await owners.isExempt('a');
    const stale = owners.isExempt('a');
    expect(stale).toBe(false);
    state.now = 900;
    const before = owners.isExempt('a');
    state.stored = ['a'];
    notices.changed('rate-limit-exemption');
    const after = owners.isExempt('a');
    expect([await before, await after]).toEqual([false, true]);
    expect(owners.isExempt('a')).toBe(true);
  });

  it('stay as they were known while the database is away, and are asked for again', async () => {
    const { state, owners } = given('a');
    await owners.isExempt('a');
    Object.assign(state, { now: 5_000, isAway: true });
    expect(await owners.isExempt('a')).toBe(true);
    Object.assign(state, { isAway: false, stored: [] });
    expect(await owners.isExempt('a')).toBe(false);
  });

  it('stay as they were known where the database falls silent, and no call waits for it for long', async () => {
    const { state, owners } = given('a');
    await owners.isExempt('a');
    Object.assign(state, { now: 5_000, isSilent: true, stored: [] });
    expect(await owners.isExempt('a')).toBe(true);
    Object.assign(state, { isSilent: false });
    expect(await owners.isExempt('a')).toBe(false);
  });

  it('are followed also where every answer is late', async () => {
    const { state, owners, answerLate } = given('a');
    await owners.isExempt('a');
    Object.assign(state, { now: 5_000, isSilent: true, stored: [] });
    expect(await owners.isExempt('a')).toBe(true);
    state.now = 6_000;
    answerLate();
    await settled();
    const waits = owners.isExempt('a');
    expect(waits).toBeInstanceOf(Promise);
    expect(await waits).toBe(false);
  });
});
