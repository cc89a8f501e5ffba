import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventLoad } from '../support/databases/deliveries.ts';
import { DeliveryRig } from '../support/service/delivery-rig.ts';
import { hasOwnMysql, OwnMysql } from '../support/databases/own-mysql.ts';
import { receiverTls, until } from '../support/peers/receiver.ts';

const ROUNDS = Number(process.env['NOTARY_KILL_ROUNDS'] ?? 3);
const isThere = hasOwnMysql();
if (!isThere && process.env['REQUIRE_MYSQL'] === '1')
  throw new Error('REQUIRE_MYSQL=1, but there is no server that may be killed');
const tls = await receiverTls();

describe.skipIf(!isThere)('MySQL that is killed by SIGKILL in the middle of deliveries', () => {
  let mysql: OwnMysql;
  let rig: DeliveryRig;

  beforeEach(async () => {
    mysql = await OwnMysql.open();
    rig = await DeliveryRig.open(await mysql.database(), tls, [0, 2, 10]);
  }, 300_000);
  afterEach(async () => {
    await rig?.close();
    await mysql?.drop();
  });

  it(
    `and comes again has lost no event that was answered, and each is delivered in one body, in its own place: ${ROUNDS} rounds`,
    { timeout: 240_000 + 20_000 * ROUNDS },
    async () => {
      const load = new EventLoad(() => rig.principal, 2, 100);
      let slowest = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const receiver = rig.receivers[round % rig.receivers.length]!;
        const before = [receiver.received.length, load.told.length] as const;
        const began = performance.now();
        await until(
          () => receiver.received.length > before[0] + 10 && load.told.length > before[1] + 10,
        );
        if (round > 0) slowest = Math.max(slowest, performance.now() - began);
        await sleep(Math.random() * 300);
        await mysql.kill();
        await sleep(Math.random() * 1_000);
        await mysql.start();
      }
      await load.end();
      const events = await rig.delivered(120_000);
      expect(events.length).toBeGreaterThan(10 * ROUNDS);
      for (const receiver of rig.receivers) {
        const records = rig.recordsOf(receiver);
        expect(load.told.filter((id) => !records.has(id))).toEqual([]);
      }
      // A worker that outlived the database does not wait for the end of its own lease.
      expect(slowest).toBeLessThan(15_000);
    },
  );
});
