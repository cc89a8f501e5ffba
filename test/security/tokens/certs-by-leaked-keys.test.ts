import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../support/service/api.ts';
import { useCoSigners } from '../../support/clients/co-signing.ts';
import { quickDatabases } from '../../support/databases/databases.ts';
import { AUDIENCE, exchangeOf, OIDC_ENV, startOidc, type Oidc } from '../../support/peers/oidc.ts';
import { VaultRig } from '../../support/service/vault-rig.ts';
import { Client, ok, type Body } from '../../support/service/world.ts';

const api = useApi(OIDC_ENV);
const { holder } = useCoSigners(api, 'records:write records:read');

it('a certificate of a signing key that was retired as compromised lets nobody in', async () => {
  const rotate = (reason: string) =>
    ok(api.world.platform.post('/v1/admin/vault/signing-keys/rotate', { reason }));
  const agent = await holder();
  await rotate('scheduled');
  expect((await agent.client.get('/v1/records')).status).toBe(200);
  const other = await holder();
  expect((await other.client.get('/v1/records')).status).toBe(200);
  await rotate('compromised');
  expect((await other.client.get('/v1/records')).status).toBe(401);
  expect((await agent.client.get('/v1/records')).status).toBe(200);
});

describe.each(quickDatabases())('on $name', (kind) => {
  const rig = new VaultRig(kind, {
    ...OIDC_ENV,
    CHECKPOINT_INTERVAL: '1440',
    PUBLIC_URL: 'https://notary.example',
  });
  let oidc: Oidc;
  beforeAll(async () => {
    oidc = await startOidc();
    await rig.prepare();
  });
  afterAll(async () => {
    await oidc.close();
    await rig.end();
  });

  it('a certificate is signed by the new key on a node that another one rotated behind', () =>
    rig.run((one) =>
      rig.run(async (other) => {
        const { world } = rig;
        await ok(
          rig.at(one, world.platform).post('/v1/admin/trusted-issuers', {
            orgId: world.orgId,
            issuerUrl: oidc.issuer,
            expectedAudience: AUDIENCE,
          }),
        );
        const exchanged = async (): Promise<Body> => {
          const token = await oidc.forge({ agent_id: world.principal.id, scope: 'records:read' });
          return ok(rig.at(one, world.anonymous).post('/v1/auth/oidc/cert', exchangeOf(token)));
        };
        // What this node knows of its key it believes for a moment.
        await exchanged();
        await ok(
          rig.at(other, world.platform).post('/v1/admin/vault/signing-keys/rotate', {
            reason: 'compromised',
          }),
        );
        // Its token is used up by now: a certificate that nobody takes would be no use to the agent.
        const { certJws } = await exchanged();
        for (const { url } of [other, one]) {
          const answer = await new Client(String(url), String(certJws)).get('/v1/records');
          expect(answer.status).toBe(200);
        }
      }),
    ));
});
