import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rpc } from '../support/stories/a2a-stories.ts';
import { databases, type TestDatabase } from '../support/databases/databases.ts';
import { Receiver, receiverTls, until } from '../support/peers/receiver.ts';
import { startSender } from '../support/service/delivery-rig.ts';
import type { ServiceProcess } from '../support/service/service-process.ts';
import { Client, ok, proposeJob, type Body, type World } from '../support/service/world.ts';

const TASKS = 12;
const { ca, identity } = await receiverTls();

describe.each(databases())('on $name, a service that is killed by SIGKILL', (kind) => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let world: World;
  let receiver: Receiver;

  beforeEach(async () => {
    database = await kind.open({ migrated: false });
    ({ service, world } = await startSender(database.url, ca));
    receiver = await Receiver.open(identity);
  });
  afterEach(async () => {
    await service?.stop('SIGKILL');
    await receiver?.stop();
    await database?.drop();
    rmSync(service.directory, { recursive: true, force: true });
  });

  it('pushes after its restart what it had not pushed, and nothing in another form', async () => {
    const ids: string[] = [];
    for (let n = 0; n < TASKS; n++) {
      const { id } = await proposeJob(world);
      ids.push(String(id));
      const config = { taskId: id, url: receiver.url, token: 'token' };
      const { error } = await rpc(
        world.principal.client,
        'CreateTaskPushNotificationConfig',
        config,
      );
      expect(error).toBeUndefined();
    }
    // What was answered counts; the receiver is slow, so most of it waits when the service dies.
    receiver.behave = async (_, response) => {
      await sleep(150);
      response.end();
    };
    await Promise.all(
      ids.map((id) =>
        ok(world.performer.client.post(`/v1/records/${id}/transition`, { action: 'accept' })),
      ),
    );
    await service.stop('SIGKILL');
    await service.start();
    const at = ({ key }: Client): Client => new Client(service.url, key);
    const cancelled = ids[0]!;
    await ok(
      at(world.principal.client).post(`/v1/records/${cancelled}/transition`, { action: 'cancel' }),
    );
    const told = (): Map<string, Set<string>> => {
      const bodies = new Map<string, Set<string>>();
      for (const { body, raw } of receiver.received) {
        const { taskId, status } = body['statusUpdate'] as Body;
        const change = `${String(taskId)} ${String(status['state'])}`;
        bodies.set(change, (bodies.get(change) ?? new Set()).add(raw));
      }
      return bodies;
    };
    // A dead lease is waited for.
    await until(() => told().size === TASKS + 1, 120_000);
    const expected = [
      ...ids.map((id) => `${id} TASK_STATE_WORKING`),
      `${cancelled} TASK_STATE_CANCELED`,
    ];
    expect([...told().keys()].sort()).toEqual(expected.sort());
    expect([...told().values()].filter((raws) => raws.size !== 1)).toEqual([]);
    for (const { headers } of receiver.received)
      expect(headers['x-a2a-notification-token']).toBe('token');
  }, 200_000);
});
