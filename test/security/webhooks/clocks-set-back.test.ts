import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BootstrapPlatform } from '../../../application/operations/bootstrap-platform.ts';
import type { RunningService } from '../../../config/service.ts';
import { quickDatabases, type TestDatabase } from '../../support/databases/databases.ts';
import { freshSecrets } from '../../support/databases/stored-chains.ts';
import { until, type Receiver } from '../../support/peers/receiver.ts';
import { SENDS_HERE, useReceivers } from '../../support/peers/receivers.ts';
import { settingsIn } from '../../support/service/settings-in.ts';
import { ShiftedDate } from '../../support/service/shifted-date.ts';
import { startWatched } from '../../support/service/watched-service.ts';
import {
  addAgent,
  createWorld,
  mintKey,
  ok,
  proposeJob,
  type Client,
  type World,
} from '../../support/service/world.ts';
import { rpc } from '../../support/stories/a2a-stories.ts';

const HOUR = 3_600_000;
const receiver = useReceivers();

describe.each(quickDatabases())('on $name, after the clock was set back', (kind) => {
  const directory = mkdtempSync(join(tmpdir(), 'notary-clock-'));
  const date = new ShiftedDate();
  let database: TestDatabase;
  let service: RunningService;
  let world: World;

  beforeAll(async () => {
    database = await kind.open({ migrated: false });
    const env = { DATABASE_URL: database.url, ...freshSecrets(), ...SENDS_HERE };
    service = await startWatched(settingsIn(directory, env));
    const { apiKey } = await service.container.get(BootstrapPlatform).execute();
    world = await createWorld(String(service.url), apiKey);
  });
  afterEach(() => {
    date.aheadMs = 0;
  });
  afterAll(async () => {
    date.restore();
    await service.stop();
    await database.drop();
    rmSync(directory, { recursive: true, force: true });
  });

  const note = async (client: Client = world.principal.client): Promise<string> => {
    const { id } = await ok(client.post('/v1/records', { type: 'note', criteria: { text: 'x' } }));
    return String(id);
  };
  const notes = async (count: number, client?: Client): Promise<readonly string[]> => {
    const ids: string[] = [];
    while (ids.length < count) ids.push(await note(client));
    return ids;
  };
  const subscribe = async (client: Client = world.admin): Promise<[Receiver, string]> => {
    const to = await receiver();
    const hook = { url: to.url, eventTypes: ['record.recorded'] };
    const { id } = await ok(client.post('/v1/webhooks', hook));
    return [to, `/v1/webhooks/${String(id)}`];
  };
  const recordsOf = (to: Receiver): readonly string[] =>
    to.received.map(({ body }) => String(body['recordId']));
  /** Deliveries come in the order of the events, so none is missing before the last. */
  const expectDelivered = async (to: Receiver, ids: readonly string[]): Promise<void> => {
    await until(() => recordsOf(to).includes(ids.at(-1)!));
    expect(recordsOf(to)).toEqual(ids);
  };

  it('a webhook that was made three hours ahead gets every event', async () => {
    date.aheadMs = 3 * HOUR;
    const [to] = await subscribe();
    const early = await notes(2);
    date.aheadMs = 0;
    await expectDelivered(to, [...early, ...(await notes(6))]);
  });

  it('a webhook gets the events from before its own time, and none that was numbered before it', async () => {
    date.aheadMs = HOUR;
    await note();
    date.aheadMs = 0;
    const [to] = await subscribe();
    date.aheadMs = -HOUR;
    await expectDelivered(to, await notes(4));
  });

  it('a webhook that was resumed three hours ahead gets every event after that', async () => {
    const [to, path] = await subscribe();
    await ok(world.admin.post(`${path}/pause`));
    await note();
    date.aheadMs = 3 * HOUR;
    await ok(world.admin.post(`${path}/resume`));
    date.aheadMs = 0;
    await expectDelivered(to, await notes(3));
  });

  it('a webhook that was paused three hours ahead gets no event of the pause', async () => {
    const [to, path] = await subscribe();
    date.aheadMs = 3 * HOUR;
    const before = await note();
    await ok(world.admin.post(`${path}/pause`));
    date.aheadMs = 0;
    await notes(2);
    await ok(world.admin.post(`${path}/resume`));
    await expectDelivered(to, [before, ...(await notes(3))]);
  });

  it('a webhook that was made active again three hours ahead gets every event after that', async () => {
    const [to, path] = await subscribe();
    await ok(world.admin.patch(path, { isActive: false }));
    await note();
    date.aheadMs = 3 * HOUR;
    await ok(world.admin.patch(path, { isActive: true }));
    date.aheadMs = 0;
    await expectDelivered(to, await notes(3));
    expect((await ok(world.admin.get(`${path}/dlq`)))['data']).toEqual([]);
  });

  it('a webhook of an agent that was reactivated three hours ahead gets every event after that', async () => {
    const { id, client } = await addAgent(world.admin, world.orgId, 'clock');
    const [to] = await subscribe(client);
    const path = `/v1/admin/agents/${id}`;
    const first = await note(client);
    await expectDelivered(to, [first]);
    await ok(world.admin.post(`${path}/deactivate`, {}));
    date.aheadMs = 3 * HOUR;
    await ok(world.platform.post(`${path}/reactivate`));
    date.aheadMs = 0;
    const again = await mintKey(world.admin, id, { scopeProfile: 'agent-full' });
    await expectDelivered(to, [first, ...(await notes(3, again.client))]);
  });

  it('a push configuration that was made three hours ahead gets the changes of its task', async () => {
    const { id } = await proposeJob(world);
    const to = await receiver();
    date.aheadMs = 3 * HOUR;
    await rpc(world.principal.client, 'CreateTaskPushNotificationConfig', {
      taskId: id,
      url: to.url,
    });
    date.aheadMs = 0;
    const path = `/v1/records/${String(id)}/transition`;
    await ok(world.performer.client.post(path, { action: 'accept' }));
    await until(() => to.received.length > 0);
  });
});
