import { describe, expect, it } from 'vitest';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { sleep } from '../../support/service/world.ts';
import { useDatabase } from './suite.ts';

// Contract of application/ports/job-leases.port.ts

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

    it('a lease that ends long after its term is taken over, and is no sign of a worker', async () => {
      const name = 'anchor-sweep';
      const { jobLeases: leases, healthReads } = database().adapter;
      const there = database().another().jobLeases;
      await there.seen([{ name, everyMs: 1_000 }]);
      expect(await there.acquire(name, 60_000)).toBe(true);
      const until = (time: number) =>
        database().raw(`UPDATE jobs SET lease_until = ${time} WHERE name = '${name}'`);
      await until(Date.now() + 100_000);
      expect(await leases.acquire(name, 60_000)).toBe(false);
      const year = Date.now() + 31_536_000_000;
      await until(year);
      await database().raw(`UPDATE jobs SET seen_at = ${year} WHERE name = '${name}'`);
      const [job] = (await healthReads.jobs()).filter((one) => one.name === name);
      expect(job!.isRunning).toBe(false);
      expect(job!.seenAgoMs).toBeGreaterThan(31_536_000_000);
      expect(await leases.acquire(name, 60_000)).toBe(true);
      expect(await there.acquire(name, 60_000)).toBe(false);
    });
  });
};
