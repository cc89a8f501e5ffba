import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../support/databases/databases.ts';
import { NodeFarm } from '../support/service/node-farm.ts';
import { verifyExports } from '../support/databases/stored-chains.ts';
import { expectAcknowledged, Writers } from '../support/clients/writers.ts';

const mysql = databases().find(({ name }) => name === 'mysql');

describe.skipIf(!mysql)('two api and two worker processes on one MySQL', () => {
  let farm: NodeFarm;
  let writers: Writers | null = null;

  beforeEach(async () => {
    farm = await NodeFarm.open(mysql!);
  }, 400_000);
  afterEach(async () => {
    await farm?.close();
    await writers?.stop();
  });

  it('are restarted one after the other under load, and no call fails that its client sends again', async () => {
    const { world, balancer, nodes } = farm;
    const key = world.principal.client.key!;
    writers = new Writers(() => balancer.url, key, 5, { action: 'pay' }, 600).start();
    await writers.see(201, 50, 60_000);
    for (const node of nodes) {
      expect(await node.stop()).toBe(0);
      // The others go on alone.
      await writers.see(201, 50, 60_000);
      await node.start();
      await writers.see(201, 50, 60_000);
    }
    await writers.stop();
    expect([...writers.statuses.keys()]).toEqual([201]);
    const stored = await expectAcknowledged(farm.database, writers.acknowledged);
    // And nothing twice: a call that was sent again acted once.
    expect(stored.records.size).toBe(writers.acknowledged.size);
    const sample = [...stored.records.keys()].slice(-20);
    expect(await verifyExports(world.admin, sample, farm.fingerprint)).toEqual([]);
  }, 400_000);
});
