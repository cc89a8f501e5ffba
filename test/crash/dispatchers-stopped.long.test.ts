import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/databases/databases.ts';
import { eventIds, expectWhole } from '../support/databases/deliveries.ts';
import { Receiver, receiverTls, until } from '../support/peers/receiver.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { freshSecrets } from '../support/databases/stored-chains.ts';
import { Client, createWorld, ok, type World } from '../support/service/world.ts';

const EVENTS = 60;
const { ca, identity } = await receiverTls();
// A process that is stopped while it writes to a file of SQLite holds that, for as long as it is stopped.
const kinds = databases().filter(({ name }) => name === 'mysql');

describe.each(kinds)('on $name, a dispatcher that is stopped past its lease', (kind) => {
  let database: TestDatabase;
  let api: ServiceProcess;
  let workers: readonly ServiceProcess[] = [];
  let world: World;
  let receiver: Receiver;

  beforeEach(async () => {
    database = await kind.open({ migrated: false });
    const env = {
      DATABASE_URL: database.url,
      EGRESS_CA: ca,
      EGRESS_ALLOW_CIDRS_WEBHOOK: '127.0.0.0/8,::1/128',
      ...freshSecrets(),
    };
    api = new ServiceProcess({ ...env, ROLE: 'api' });
    workers = [1, 2].map(() => new ServiceProcess({ ...env, ROLE: 'worker' }, api.directory));
    const { apiKey } = await api.bootstrap();
    await api.start();
    world = await createWorld(api.url, apiKey);
    receiver = await Receiver.open(identity);
    const hook = { url: receiver.url, eventTypes: ['record.recorded'] };
    await ok(world.admin.post('/v1/webhooks', hook));
  });
  afterEach(async () => {
    for (const one of [...workers, api]) await one?.stop('SIGKILL');
    await receiver?.stop();
    await database?.drop();
    rmSync(api.directory, { recursive: true, force: true });
  });

  it('in the middle of a delivery sends nothing more, and writes nothing, when it goes on: another one has delivered all', async () => {
    const [first, second] = workers as [ServiceProcess, ServiceProcess];
    const client = new Client(api.url, world.principal.client.key);
    let stoppedAt = -1;
    // The first worker has the subscription, and dies, as far as others can see, while it waits for an answer.
    receiver.behave = async (_, response) => {
      await sleep(20);
      if (stoppedAt === -1 && receiver.received.length >= 10) {
        process.kill(first.pid, 'SIGSTOP');
        stoppedAt = receiver.received.length;
      }
      response.end();
    };
    await first.start();
    const notes = Array.from({ length: EVENTS }, (_, item) => ({
      type: 'note',
      criteria: { item },
    }));
    await ok(client.post('/v1/records/bulk', notes));
    await until(() => stoppedAt !== -1);
    await second.start();
    const came = (): ReadonlySet<string> => new Set(receiver.ids);
    // The lease of the first one ends.
    await until(() => came().size === EVENTS);
    const deliveries = () =>
      database.raw('SELECT event_id, event_sequence, status, reason FROM webhook_deliveries');
    // The second one wrote down what became of them.
    await until(async () => {
      const delivered = (await deliveries()).filter(({ status }) => status === 'DELIVERED');
      return delivered.length === EVENTS;
    });
    const before = receiver.received.length;
    process.kill(first.pid, 'SIGCONT');
    await sleep(3_000);
    expect(receiver.received).toHaveLength(before);
    // What was on its way, and what it was about to write of it, was sent again.
    expect(before - EVENTS).toBeLessThanOrEqual(stoppedAt);
    expectWhole(receiver.received, await eventIds(world.admin));
    const rows = await deliveries();
    const delivered = rows.filter(({ status }) => status === 'DELIVERED');
    expect(delivered).toHaveLength(EVENTS);
    expect(
      rows.filter(({ status, reason }) => status !== 'DELIVERED' && reason !== 'interrupted'),
    ).toEqual([]);
    // And it is a worker like any other again.
    await second.stop();
    await ok(client.post('/v1/records/bulk', notes.slice(0, 5)));
    await until(() => came().size === EVENTS + 5);
    expectWhole(receiver.received, await eventIds(world.admin));
  }, 240_000);
});
