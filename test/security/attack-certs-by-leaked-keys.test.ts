import { expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { useCoSigners } from '../support/co-signing.ts';
import { OIDC_ENV } from '../support/oidc.ts';
import { ok } from '../support/world.ts';

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
