import { TOKENS } from '../../../config/tokens.ts';
import { deadLetterOf } from '../../../domain/delivery/delivery.ts';
import type { Prepare, Scene } from './column-scenes.ts';
import { uuidOf } from './column-scenes.ts';
import type { EditedHub } from './edited-hub.ts';
import { ok, type Answer, type Body, type World } from '../service/world.ts';

const bytes = (id: unknown): Uint8Array => Buffer.from(String(id).replaceAll('-', ''), 'hex');

/** Paused, so that no worker writes to its rows. */
const pausedWebhook = async ({ world }: EditedHub): Promise<string> => {
  const { id } = await ok(
    world.admin.post('/v1/webhooks', {
      url: 'https://nothing.invalid:1024/hook',
      eventTypes: ['record.failed'],
    }),
  );
  await ok(world.admin.post(`/v1/webhooks/${String(id)}/pause`));
  return String(id);
};

/** A listing that must hold the row, or be refused. */
const listed = async (world: World, path: string, id: string): Promise<Answer<Body>> => {
  const answer = await world.admin.get(path);
  const isThere =
    answer.status !== 200 || (answer.body['data'] as Body[]).some((row) => row['id'] === id);
  return isThere ? answer : { ...answer, status: 404 };
};

const pinged = async (hub: EditedHub): Promise<{ id: string; path: string; body: string }> => {
  const path = `/v1/webhooks/${await pausedWebhook(hub)}`;
  const { id, requestBody } = await ok(hub.world.admin.post(`${path}/ping`));
  return { id: String(id), path: `${path}/deliveries`, body: String(requestBody) };
};

export const WEBHOOK_SCENES: Readonly<Record<string, Prepare>> = {
  webhook_subscriptions: async (hub) => {
    const id = await pausedWebhook(hub);
    return {
      where: hub.is('id', bytes(id)),
      act: ({ admin }, _node, edited) => admin.get(`/v1/webhooks/${uuidOf(edited['id'])}`),
    };
  },
  webhook_readers: async (hub) => {
    const id = await pausedWebhook(hub);
    return {
      where: hub.is('subscription_id', bytes(id)),
      act: ({ admin }) => admin.get(`/v1/webhooks/${id}`),
    };
  },
  webhook_deliveries: async (hub): Promise<Scene> => {
    const { id, path } = await pinged(hub);
    return { where: hub.is('id', bytes(id)), act: (world) => listed(world, path, id) };
  },
  webhook_bodies: async (hub) => {
    const { path } = await pinged(hub);
    return {
      where: await hub.any('webhook_bodies', 'id'),
      act: ({ admin }) => admin.get(path),
    };
  },
  webhook_dlq: async (hub) => {
    const subscriptionId = await pausedWebhook(hub);
    const id = crypto.randomUUID();
    const letter = deadLetterOf(
      {
        id,
        subscriptionId,
        eventId: crypto.randomUUID(),
        eventType: 'record.failed',
        number: 1,
        eventSequence: 1,
        attempt: 1,
        createdAt: '2026-01-01T00:00:00.000Z',
      },
      id,
      hub.world.orgId,
      '2026-01-01T00:00:00.000Z',
      { reason: 'rejected', attempts: 1, lastStatus: 404 },
    );
    await hub.service.container
      .get(TOKENS.unitOfWork)
      .transaction((stores) => stores.deliveries.bury([letter]));
    return {
      where: hub.is('id', bytes(id)),
      act: (world) => listed(world, `/v1/webhooks/${subscriptionId}/dlq`, id),
    };
  },
};
