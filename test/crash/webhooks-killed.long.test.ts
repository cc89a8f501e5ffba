import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/databases/databases.ts';
import { EventLoad, eventIds, expectWhole } from '../support/databases/deliveries.ts';
import { Receiver, receiverTls, until } from '../support/peers/receiver.ts';
import { startSender } from '../support/service/delivery-rig.ts';
import type { ServiceProcess } from '../support/service/service-process.ts';
import { Client, ok, type World } from '../support/service/world.ts';

const ROUNDS = Number(process.env['NOTARY_KILL_ROUNDS'] ?? 3);
const RECEIVERS = 4;
const { ca, identity } = await receiverTls();

describe.each(databases())('on $name, a dispatcher that is killed by SIGKILL', (kind) => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let world: World;
  const receivers: Receiver[] = [];

  beforeEach(async () => {
    database = await kind.open({ migrated: false });
    ({ service, world } = await startSender(database.url, ca));
    receivers.length = 0;
    for (let n = 0; n < RECEIVERS; n++) {
      const receiver = await Receiver.open(identity);
      receivers.push(receiver);
      await ok(
        world.admin.post('/v1/webhooks', { url: receiver.url, eventTypes: ['record.recorded'] }),
      );
    }
  });
  afterEach(async () => {
    await service?.stop('SIGKILL');
    await Promise.all(receivers.map((one) => one.stop()));
    await database?.drop();
    rmSync(service.directory, { recursive: true, force: true });
  });

  const at = (client: Client): Client => new Client(service.url, client.key);

  it(
    `loses no event, sends none under another body, and gives each its own place: ${ROUNDS} rounds`,
    async () => {
      const told: string[] = [];
      // Some of them fail now and then, so that retries are under way too.
      receivers[0]!.behave = (_, response) => {
        response.statusCode = Math.random() < 0.02 ? 500 : 200;
        response.end();
      };
      receivers[1]!.behave = async (_, response) => {
        await sleep(20);
        response.end();
      };
      for (let round = 0; round < ROUNDS; round++) {
        const load = new EventLoad(() => at(world.principal.client), 3);
        await until(() => load.told.length >= 10, 60_000);
        await sleep(Math.random() * 800);
        await service.stop('SIGKILL');
        await load.end();
        told.push(...load.told);
        await service.start();
      }
      let events: string[] = [];
      await until(
        async () => {
          // The last ones get their number after the start.
          await sleep(500);
          const before = events.length;
          events = await eventIds(at(world.admin));
          return (
            events.length === before &&
            receivers.every((one) => new Set(one.ids).size >= events.length)
          );
        },
        // A dead lease is waited for, and a retry.
        150_000 + 5_000 * ROUNDS,
      );
      expect(events.length).toBeGreaterThan(20);
      for (const { received } of receivers) {
        expectWhole(received, events);
        const records = new Set(received.map(({ body }) => String(body['recordId'])));
        expect(told.filter((id) => !records.has(id))).toEqual([]);
      }
    },
    600_000 + 10_000 * ROUNDS,
  );
});
