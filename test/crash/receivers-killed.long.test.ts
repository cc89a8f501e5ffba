import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/databases/databases.ts';
import { EventLoad } from '../support/databases/deliveries.ts';
import { DeliveryRig } from '../support/service/delivery-rig.ts';
import { receiverTls, until } from '../support/peers/receiver.ts';

const ROUNDS = Number(process.env['NOTARY_KILL_ROUNDS'] ?? 3);
/** A batch of one webhook: so much may have left before its outcome was written. */
const BATCH = 64;
const tls = await receiverTls();

describe.each(databases())('on $name, a receiver that is killed by SIGKILL', (kind) => {
  let database: TestDatabase;
  let rig: DeliveryRig;

  beforeEach(async () => {
    database = await kind.open({ migrated: false });
    rig = await DeliveryRig.open(database.url, tls, [0, 2, 10]);
  });
  afterEach(async () => {
    await rig?.close();
    await database?.drop();
  });

  it(
    `and comes again gets every event, none in another body, each in its own place: ${ROUNDS} rounds`,
    { timeout: 120_000 + 15_000 * ROUNDS },
    async () => {
      const load = new EventLoad(() => rig.principal, 2, 100);
      for (let round = 0; round < ROUNDS; round++) {
        const receiver = rig.receivers[round % rig.receivers.length]!;
        const before = [receiver.received.length, load.told.length] as const;
        // In the middle of what it gets.
        await until(
          () => receiver.received.length > before[0] + 10 && load.told.length > before[1] + 10,
        );
        await sleep(Math.random() * 100);
        await receiver.kill();
        await sleep(Math.random() * 600);
        await receiver.start();
        // Its circuit is open by then: an operator need not wait for the probe.
        await rig.recover();
      }
      await load.end();
      const events = await rig.delivered(120_000, () => rig.recover());
      expect(events.length).toBeGreaterThan(10 * ROUNDS);
      for (const receiver of rig.receivers) {
        const records = rig.recordsOf(receiver);
        expect(load.told.filter((id) => !records.has(id))).toEqual([]);
        expect(receiver.received.length - events.length).toBeLessThanOrEqual(BATCH * ROUNDS);
      }
    },
  );
});
