import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RunningService } from '../../../config/service.ts';
import { quickDatabases } from '../../support/databases/databases.ts';
import { type Receiver, until } from '../../support/peers/receiver.ts';
import { literal } from '../../support/service/vault-rig.ts';
import { useWebhookRig } from '../../support/service/webhook-rig.ts';
import { ok, type Body } from '../../support/service/world.ts';
import { editsItsVault } from '../../support/service/genuine-vault.ts';

editsItsVault(import.meta.filename);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.each(quickDatabases())('webhooks on $name', (kind) => {
  const { rig, receiver, admin, note } = useWebhookRig(kind);
  const subscribe = (service: RunningService, to: Receiver, more: Body = {}) =>
    ok(
      admin(service).post('/v1/webhooks', {
        url: to.url,
        eventTypes: ['record.recorded'],
        ...more,
      }),
    );
  const idOf = (id: unknown) => literal(Buffer.from(String(id).replaceAll('-', ''), 'hex'));

  it(
    'an edited url gets nothing; put back, it gets what waited',
    () =>
      rig.run(async (service) => {
        const [genuine, thief] = [await receiver(), await receiver()];
        const hook = await subscribe(service, genuine);
        let answer = (): void => undefined;
        const edited = new Promise<void>((resolve) => (answer = resolve));
        genuine.behave = async (_, response) => {
          await edited;
          response.end('ok');
        };
        await note(service);
        await until(() => genuine.received.length === 1);
        const set = (url: string) =>
          rig.database.raw(
            `UPDATE webhook_subscriptions SET url = ${literal(url)} WHERE id = ${idOf(hook['id'])}`,
          );
        await set(thief.url);
        // What came of a request that was under way is written all the same.
        answer();
        await note(service);
        await pause(1_500);
        expect([thief.received.length, genuine.received.length]).toEqual([0, 1]);
        const refused = await admin(service).get(`/v1/webhooks/${String(hook['id'])}`);
        expect(refused.body).toMatchObject({ reason: 'payload_drift' });
        await set(genuine.url);
        await until(() => genuine.received.length > 1);
        await pause(500);
        expect(new Set(genuine.ids).size).toBe(2);
        expect([thief.received.length, genuine.received.length]).toEqual([0, 2]);
      }),
    60_000,
  );

  it('an event that somebody edited is not sent, and neither is one that a dead letter was pointed at', () =>
    rig.run(async (service) => {
      const to = await receiver();
      to.behave = (_, response) => {
        response.statusCode = 404;
        response.end();
      };
      const hook = await subscribe(service, to);
      const path = `/v1/webhooks/${String(hook['id'])}/dlq`;
      await note(service);
      await note(service);
      const letters = async () => (await ok(admin(service).get(path)))['data'] as Body[];
      await until(async () => (await letters()).length === 2);
      to.behave = (_, response) => void response.end();
      const [second, first] = await letters();
      await rig.database.raw(
        `UPDATE outbox SET data = ${literal('{"status":"FULFILLED"}')} WHERE id = ${idOf(first!['eventId'])}`,
      );
      expect((await letters())[1]).toMatchObject({ id: first!['id'], event: null });
      await ok(admin(service).post(`${path}/${String(first!['id'])}/retry`));
      await pause(1_000);
      expect(to.received).toHaveLength(2);
      await rig.database.raw(
        `UPDATE webhook_dlq SET number = number - 1 WHERE id = ${idOf(second!['id'])}`,
      );
      const retried = await admin(service).post(`${path}/${String(second!['id'])}/retry`);
      expect(retried.body).toMatchObject({ reason: 'payload_drift' });
      await pause(500);
      expect(to.received).toHaveLength(2);
      await rig.database.raw(
        `UPDATE webhook_dlq SET number = number + 1 WHERE id = ${idOf(second!['id'])}`,
      );
    }));

  it('are signed by the key that is active, also by a node that another one rotated under', () =>
    rig.run((one) =>
      rig.run(async (two) => {
        const to = await receiver();
        const hook = await subscribe(two, to, { signingAlg: 'ed25519' });
        const ping = async (service: RunningService): Promise<string> => {
          await ok(admin(service).post(`/v1/webhooks/${String(hook['id'])}/ping`));
          const { headers, body } = to.received.at(-1)!;
          const input = String(headers['signature-input']).replace(/^sig1=/, '');
          const keyId = /keyid="([^"]+)"/.exec(input)![1]!;
          const base = [
            `"content-digest": ${String(headers['content-digest'])}`,
            `"x-service-idempotency-key": ${String(body['id'])}`,
            `"@signature-params": ${input}`,
          ].join('\n');
          const keys = await ok(rig.at(service, rig.world.anonymous).get('/v1/verification-keys'));
          const key = (keys['data'] as Body[]).find((each) => each['keyId'] === keyId)!;
          const signature = Buffer.from(String(headers['signature']).slice(6, -1), 'base64');
          const spki = createPublicKey({
            key: Buffer.from(String(key['publicKey']), 'base64'),
            format: 'der',
            type: 'spki',
          });
          expect(verify(null, Buffer.from(base), spki, signature)).toBe(true);
          return keyId;
        };
        const before = await ping(two);
        const rotated = await ok(
          rig.at(one, rig.world.platform).post('/v1/admin/vault/signing-keys/rotate', {}),
        );
        expect(before).toBe(rotated['previousKeyId']);
        expect(await ping(two)).toBe(rotated['newKeyId']);
      }),
    ));
});
