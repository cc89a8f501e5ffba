import { describe, expect, it, vi } from 'vitest';
import type { RunningService } from '../../../config/service.ts';
import { SendDelivery } from '../../../application/delivery/send-delivery.ts';
import { TOKENS } from '../../../config/tokens.ts';
import type { Subscription } from '../../../domain/delivery/subscription.ts';
import { databases } from '../../support/databases/databases.ts';
import { type Receiver, until } from '../../support/peers/receiver.ts';
import { useWebhookRig } from '../../support/service/webhook-rig.ts';
import { ok, sleep, type Body } from '../../support/service/world.ts';

describe.each(databases())('an act that is answered while a worker works, on $name,', (kind) => {
  const { rig, receiver, admin, note } = useWebhookRig(kind);
  const subscribe = (service: RunningService, to: Receiver, type: string) =>
    ok(admin(service).post('/v1/webhooks', { url: to.url, eventTypes: [type] }));
  /** Lets something happen right before the events that are about to be sent to a webhook are read. */
  const beforeBuilding = (
    service: RunningService,
    { id }: Body,
    happens: () => Promise<unknown>,
  ): void => {
    const sending = service.container.get(SendDelivery);
    const genuine = sending.settle.bind(sending);
    const spy = vi.spyOn(sending, 'settle').mockImplementation(async (subscription) => {
      if ((subscription as Subscription).id === id) {
        spy.mockRestore();
        await happens();
      }
      return genuine(subscription);
    });
  };

  it('loses no event: what happens after a wider filter is answered comes', () =>
    rig.run(async (service) => {
      const to = await receiver();
      const events = service.container.get(TOKENS.eventReads);
      const genuine = events.after.bind(events);
      let hook: Body | null = null;
      let record: Body | null = null;
      vi.spyOn(events, 'after').mockImplementation(async (range) => {
        // The look of the new subscription, by the filter that it was made with.
        if (range.filter?.types?.join() === 'record.expired' && !record) {
          await until(() => hook !== null);
          await ok(
            admin(service).patch(`/v1/webhooks/${String(hook!['id'])}`, {
              eventTypes: ['record.recorded'],
            }),
          );
          const newest = await events.newest();
          record = await note(service);
          await until(async () => (await events.newest()) > newest);
          await sleep(300);
        }
        return genuine(range);
      });
      hook = await subscribe(service, to, 'record.expired');
      await until(() => to.received.length > 0);
      expect(to.received.map(({ body }) => body['recordId'])).toEqual([record!['id']]);
    }));

  it('ends it: what was read before a DELETE is not sent after it, and is in the DLQ once', () =>
    rig.run(async (service) => {
      const to = await receiver();
      const hook = await subscribe(service, to, 'record.recorded');
      const path = `/v1/webhooks/${String(hook['id'])}`;
      let answer: Body | null = null;
      beforeBuilding(service, hook, async () => {
        answer = await ok(admin(service).call('DELETE', path));
      });
      await note(service);
      await until(() => answer !== null);
      expect(answer).toMatchObject({ deadLetters: 1 });
      await sleep(1_500);
      expect(to.received).toEqual([]);
      const data = async (part: string) =>
        (await ok(admin(service).get(`${path}/${part}`)))['data'] as Body[];
      expect(await data('dlq')).toMatchObject([{ reason: 'subscription_inactive', attempts: 0 }]);
      expect(await data('deliveries')).toMatchObject([{ status: 'DEAD_LETTER', signature: null }]);
    }));

  it('moves it: what was read before a PATCH of the url goes to the new one alone', () =>
    rig.run(async (service) => {
      const [left, taken] = [await receiver(), await receiver()];
      const hook = await subscribe(service, left, 'record.recorded');
      beforeBuilding(service, hook, () =>
        ok(admin(service).patch(`/v1/webhooks/${String(hook['id'])}`, { url: taken.url })),
      );
      await note(service);
      await until(() => taken.received.length > 0);
      expect(taken.received[0]!.body['data']).toMatchObject({ audience: taken.url });
      expect(left.received).toEqual([]);
    }));

  it('holds it: what was read before a pause waits for its end', () =>
    rig.run(async (service) => {
      const to = await receiver();
      const hook = await subscribe(service, to, 'record.recorded');
      const path = `/v1/webhooks/${String(hook['id'])}`;
      let isPaused = false;
      beforeBuilding(service, hook, async () => {
        await ok(admin(service).post(`${path}/pause`));
        isPaused = true;
      });
      await note(service);
      await until(() => isPaused);
      await sleep(1_000);
      expect(to.received).toEqual([]);
      await ok(admin(service).post(`${path}/resume`));
      await until(() => to.received.length === 1);
    }));

  it('does it once: a ping under one Idempotency-Key, asked of two nodes', () =>
    rig.run((one) =>
      rig.run(async (two) => {
        const to = await receiver();
        // Answered once the other node has refused, so that the second ping comes while the first one is under way.
        let open: () => void = () => undefined;
        const opened = new Promise<void>((resolve) => (open = resolve));
        to.behave = async (_, response) => {
          await opened;
          response.end('ok');
        };
        const hook = await subscribe(one, to, 'record.expired');
        const key = { 'idempotency-key': crypto.randomUUID() };
        const ping = (service: RunningService) =>
          admin(service).post(`/v1/webhooks/${String(hook['id'])}/ping`, undefined, key);
        const asked = [ping(one), ping(two)];
        await Promise.race(asked).finally(open);
        const answers = await Promise.all(asked);
        expect(to.received).toHaveLength(1);
        expect(answers.map(({ status }) => status).sort()).toEqual([expect.any(Number), 409]);
        const [answered] = answers.filter(({ status }) => status < 300);
        expect(answered!.body).toMatchObject({ status: 'DELIVERED', responseStatus: 200 });
        const again = await ping(two);
        expect(again.body).toMatchObject({ id: answered!.body['id'], status: 'DELIVERED' });
        expect(to.received).toHaveLength(1);
      }),
    ));
});
