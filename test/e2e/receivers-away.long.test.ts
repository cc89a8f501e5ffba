import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases/databases.ts';
import { eventIds, expectWhole } from '../support/databases/deliveries.ts';
import { Receiver, receiverTls, until, type Received } from '../support/peers/receiver.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { freshSecrets } from '../support/databases/stored-chains.ts';
import { Client, createWorld, ok, type Body } from '../support/service/world.ts';

const EVENTS = 10_000;
const AT_ONCE = 100;
const tls = await receiverTls();
const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

describe.each(databases())('on $name, a burst of 10,000 events', (kind) => {
  it(
    'comes whole and in order to a receiver that refused, or hung, for a while, and delays no other one',
    { timeout: 900_000 },
    async () => {
      const database = await kind.open({ migrated: false });
      ends.push(() => database.drop());
      const env = {
        DATABASE_URL: database.url,
        EGRESS_CA: tls.ca,
        EGRESS_ALLOW_CIDRS_WEBHOOK: '127.0.0.0/8,::1/128',
        WEBHOOK_RATE_PER_HOST: '10000',
        ...freshSecrets(),
      };
      const api = new ServiceProcess({ ...env, ROLE: 'api' });
      const worker = new ServiceProcess({ ...env, ROLE: 'worker' }, api.directory);
      ends.push(async () => {
        await worker.stop('SIGKILL');
        await api.stop('SIGKILL');
        rmSync(api.directory, { recursive: true, force: true });
      });
      const { apiKey } = await api.bootstrap();
      await api.start();
      const world = await createWorld(api.url, apiKey);
      const opened = async (): Promise<{ receiver: Receiver; hook: string }> => {
        const receiver = await Receiver.open(tls.identity);
        ends.push(() => receiver.stop());
        const hook = { url: receiver.url, eventTypes: ['record.recorded'] };
        const { id } = await ok(world.admin.post('/v1/webhooks', hook));
        return { receiver, hook: String(id) };
      };
      const [healthy, refusing, hanging] = [await opened(), await opened(), await opened()];
      let isAway = true;
      const failed: Received[] = [];
      const failing = (one: Receiver, fail: (response: { destroy(): void }) => void): void => {
        one.behave = (received, response) => {
          if (!isAway) return void response.end();
          failed.push(received);
          one.received.pop();
          return fail(response);
        };
      };
      failing(refusing.receiver, (response) => response.destroy());
      failing(hanging.receiver, () => undefined);
      const notes = Array.from({ length: AT_ONCE }, (_, item): Body => ({
        type: 'note',
        criteria: { item },
      }));
      const principal = new Client(api.url, world.principal.client.key);
      for (let made = 0; made < EVENTS; made += AT_ONCE)
        await ok(principal.post('/v1/records/bulk', notes));
      await worker.start();
      await until(() => healthy.receiver.received.length >= EVENTS / 2, 300_000);
      expect(failed.length).toBeGreaterThan(0);
      expect(refusing.receiver.received).toEqual([]);
      isAway = false;
      // As an operator does who knows that they are there again; by itself it takes a minute.
      for (const { hook } of [refusing, hanging])
        await ok(
          world.platform.patch(`/v1/admin/webhooks/${hook}/circuit-breaker`, { state: 'closed' }),
        );
      const all = [healthy, refusing, hanging].map(({ receiver }) => receiver);
      const came = ({ ids }: Receiver): number => new Set(ids).size;
      await until(() => all.every((one) => came(one) >= EVENTS), 300_000);
      await sleep(200);
      const events = await eventIds(world.admin);
      expect(events).toHaveLength(EVENTS);
      for (const { received } of all) expectWhole(received, events);
      // What had failed comes when its retry is due; everything else in its order, and once.
      const again = new Set(failed.map(({ body }) => String(body['id'])));
      for (const { received } of all) {
        const places = received
          .filter(({ body }) => !again.has(String(body['id'])))
          .map(({ body }) => Number(body['eventSequence']));
        expect(places).toEqual([...places].sort((a, b) => a - b));
        expect(received).toHaveLength(EVENTS);
      }
      // A receiver that hangs does so for ten seconds.
      const times = healthy.receiver.received.map(({ at }) => at);
      const gaps = times.slice(1).map((at, index) => at - times[index]!);
      expect(Math.max(...gaps)).toBeLessThan(9_000);
    },
  );
});
