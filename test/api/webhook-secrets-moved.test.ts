import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MoveWebhookSecrets } from '../../application/delivery/move-webhook-secrets.ts';
import { TOKENS } from '../../config/tokens.ts';
import { quickDatabases } from '../support/databases/databases.ts';
import { hmacHolds, Receiver, receiverTls } from '../support/peers/receiver.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { ok } from '../support/service/world.ts';

const { ca, identity } = await receiverTls();

describe.each(quickDatabases())('on $name, a change of SECRETS_KEY', (kind) => {
  const env = { EGRESS_CA: ca, EGRESS_ALLOW_CIDRS_WEBHOOK: '127.0.0.0/8,::1/128' };
  const rig = new VaultRig(kind, env);
  let receiver: Receiver;
  beforeAll(async () => {
    await rig.prepare();
    receiver = await Receiver.open(identity);
  });
  afterAll(async () => {
    await receiver.stop();
    await rig.end();
  });

  it('keeps the secrets of webhooks, once they are moved, without the older key', async () => {
    const older = rig.secrets.SECRETS_KEY;
    const newer = Buffer.alloc(32, 9).toString('base64');
    const hook = await rig.run((service) =>
      ok(
        rig.at(service, rig.world.admin).post('/v1/webhooks', {
          url: receiver.url,
          eventTypes: ['record.failed'],
        }),
      ),
    );
    const pinged = () =>
      rig.run(async (service) => {
        const path = `/v1/webhooks/${String(hook['id'])}/ping`;
        const answer = await ok(rig.at(service, rig.world.admin).post(path));
        return [answer['status'], hmacHolds(receiver.received.at(-1)!, String(hook['secret']))];
      });
    rig.env = { ...env, SECRETS_KEY: `${newer},${older}` };
    expect(await pinged()).toEqual(['DELIVERED', true]);
    await rig.run(async ({ container }) => {
      const move = container.get(MoveWebhookSecrets);
      expect(await move.run()).toBe(1);
      expect(await move.run()).toBe(0);
    });
    await rig.run(({ container }) => container.get(TOKENS.sql).moveRowsToNewestKey());
    rig.env = { ...env, SECRETS_KEY: newer };
    expect(await pinged()).toEqual(['DELIVERED', true]);
  });
});
