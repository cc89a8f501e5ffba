import { describe, expect, it } from 'vitest';
import type { DatabaseKind } from '../../support/databases.ts';
import { sleep } from '../../support/world.ts';
import { useDatabase } from './suite.ts';

// Contract of application/operations/job-leases.port.ts

export const jobLeasesSuite = (kind: DatabaseKind): void => {
  describe('job leases', () => {
    const database = useDatabase(kind);

    it('one node at a time holds a lease; the others are told at once', async () => {
      const [here, there] = [database().adapter.jobLeases, database().another().jobLeases];
      const taken = await Promise.all([
        here.acquire('race', 60_000),
        there.acquire('race', 60_000),
      ]);
      expect(taken.filter(Boolean)).toHaveLength(1);
      const [holder, other] = taken[0] ? [here, there] : [there, here];
      expect(await other.acquire('race', 60_000)).toBe(false);
      expect(await holder.acquire('race', 60_000)).toBe(true);
      await holder.release('race', { durationMs: 3, failure: null });
      expect(await other.acquire('race', 60_000)).toBe(true);
    });

    it('the lease of a node that died ends by itself', async () => {
      const [here, there] = [database().adapter.jobLeases, database().another().jobLeases];
      expect(await here.acquire('dead', 150)).toBe(true);
      expect(await there.acquire('dead', 150)).toBe(false);
      await sleep(300);
      expect(await there.acquire('dead', 60_000)).toBe(true);
      await here.release('dead', { durationMs: 1, failure: 'too late' });
      expect(await here.acquire('dead', 60_000)).toBe(false);
    });
  });
};
