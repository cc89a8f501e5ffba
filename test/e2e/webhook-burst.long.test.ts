import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases/databases.ts';
import { Receiver, receiverTls, until } from '../support/peers/receiver.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { freshSecrets } from '../support/databases/stored-chains.ts';
import { Client, createWorld, ok, type Body } from '../support/service/world.ts';

const EVENTS = 1_000;
const RECEIVERS = 10;
const { ca, identity } = await receiverTls();
const ends: (() => Promise<unknown>)[] = [];
// The processes end before their database is dropped.
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

describe.each(databases())('on $name, a burst to ten receivers', (kind) => {
  it(
    'is drained by two workers in the order of each, once to each',
    { timeout: 400_000 },
    async () => {
      const database = await kind.open({ migrated: false });
      const env = {
        DATABASE_URL: database.url,
        EGRESS_CA: ca,
        EGRESS_ALLOW_CIDRS_WEBHOOK: '127.0.0.0/8,::1/128',
        ...freshSecrets(),
      };
      const api = new ServiceProcess({ ...env, ROLE: 'api' });
      ends.push(async () => {
        await api.stop();
        await database.drop();
        rmSync(api.directory, { recursive: true, force: true });
      });
      const { apiKey } = await api.bootstrap();
      await api.start();
      const world = await createWorld(api.url, apiKey);
      const receivers: Receiver[] = [];
      for (let n = 0; n < RECEIVERS; n++) {
        const receiver = await Receiver.open(identity);
        ends.push(() => receiver.stop());
        receivers.push(receiver);
        await ok(
          world.admin.post('/v1/webhooks', { url: receiver.url, eventTypes: ['record.recorded'] }),
        );
      }
      const client = new Client(api.url, world.principal.client.key);
      for (let made = 0; made < EVENTS; made += 50)
        await ok(
          client.post(
            '/v1/records/bulk',
            Array.from({ length: 50 }, (_, item): Body => ({ type: 'note', criteria: { item } })),
          ),
        );
      const workers = [1, 2].map(
        () => new ServiceProcess({ ...env, ROLE: 'worker' }, api.directory),
      );
      ends.push(() => Promise.all(workers.map((worker) => worker.stop())));
      await Promise.all(workers.map((worker) => worker.start()));
      const began = performance.now();
      await until(() => receivers.every(({ received }) => received.length >= EVENTS), 300_000);
      const rate = (EVENTS * RECEIVERS) / ((performance.now() - began) / 1000);
      console.log(`${kind.name}: ${Math.round(rate)} deliveries a second`);
      for (const { received } of receivers) {
        expect(received).toHaveLength(EVENTS);
        expect(received.map(({ body }) => body['eventSequence'])).toEqual(
          received.map((_, index) => index + 1),
        );
      }
    },
  );
});
