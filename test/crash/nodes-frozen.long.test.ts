import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../support/databases/databases.ts';
import { NodeFarm } from '../support/service/node-farm.ts';
import { verifyExports } from '../support/databases/stored-chains.ts';
import { openJob } from '../support/service/world.ts';
import { expectAcknowledged, Writers } from '../support/clients/writers.ts';

/** How long a node is frozen; a minute is longer than the leases of the jobs. */
const SECONDS = Number(process.env['NOTARY_FREEZE_SECONDS'] ?? 10);
const DUE = 40;

const mysql = databases().find(({ name }) => name === 'mysql');

describe.skipIf(!mysql)('of two api and two worker processes on one MySQL', () => {
  let farm: NodeFarm;
  let writers: Writers | null = null;

  beforeEach(async () => {
    farm = await NodeFarm.open(mysql!);
  }, 400_000);
  afterEach(async () => {
    for (const { pid } of farm?.nodes ?? []) process.kill(pid, 'SIGCONT');
    await writers?.stop();
    await farm?.close();
  });

  it(
    'one of each is frozen and goes on: calls are answered by the others, each job is done once, and no chain forks',
    async () => {
      const { world, balancer, apis, workers, database } = farm;
      const key = world.principal.client.key!;
      writers = new Writers(() => balancer.url, key, 10, { action: 'pay' }, 600).start();
      for (const at of [0, 1] as const) {
        // They fall due while the nodes are frozen, and nobody reads them.
        await Promise.all(
          Array.from({ length: DUE }, () =>
            openJob(world, { ttlSeconds: 1 + Math.ceil(SECONDS / 2) }),
          ),
        );
        const frozen = [apis[at], workers[at]];
        for (const { pid } of frozen) process.kill(pid, 'SIGSTOP');
        const begun = performance.now();
        // Once the balancer has noticed.
        await writers.see(201, 100, 60_000);
        await sleep(Math.max(0, SECONDS * 1_000 - (performance.now() - begun)));
        for (const { pid } of frozen) process.kill(pid, 'SIGCONT');
        await writers.see(201, 50, 60_000);
      }
      const expired = async (): Promise<number> =>
        Number(
          (
            await database.raw(
              "SELECT COUNT(*) AS count FROM chain_entries WHERE entry_type = 'RECORD_EXPIRED'",
            )
          )[0]!['count'],
        );
      await expect.poll(expired, { timeout: 60_000, interval: 500 }).toBe(2 * DUE);
      await sleep(2_000);
      await writers.stop();
      expect([...writers.statuses.keys()], writers.said()).toEqual([201]);
      const stored = await expectAcknowledged(database, writers.acknowledged);
      expect(stored.records.size).toBe(writers.acknowledged.size + 2 * DUE);
      const ends = [...stored.chains.values()].map(
        (chain) => chain.filter(({ entryType }) => entryType === 'RECORD_EXPIRED').length,
      );
      expect(ends.filter((count) => count === 1)).toHaveLength(2 * DUE);
      expect(Math.max(...ends)).toBe(1);
      const late = [...stored.records].filter(([, status]) => status === 'EXPIRED');
      const sample = late.slice(0, 20).map(([id]) => id);
      expect(await verifyExports(world.admin, sample, farm.fingerprint)).toEqual([]);
    },
    240_000 + 2_000 * SECONDS,
  );
});
