import { it } from 'vitest';
import { TOKENS } from '../../../config/tokens.ts';
import { useApi } from '../../support/service/api.ts';
import { expectGenuineVault } from '../../support/service/genuine-vault.ts';
import { createWorld, mintKey, ok, type Client } from '../../support/service/world.ts';

const HOUR = 3_600_000;
const api = useApi();
const setClock = (aheadMs: number): void => {
  api.service.container.get(TOKENS.clock).now = () => new Date(Date.now() + aheadMs);
};
const notarize = (client: Client) =>
  ok(client.post('/v1/records', { type: 'note', criteria: { text: 'x' } }));

it('a vault verifies if the clock was two hours ahead while an org, its agents, keys and types were made', async () => {
  const { url, platform } = api.world;
  setClock(2 * HOUR);
  const early = await createWorld(url, platform.key!, 'Early');
  setClock(0);
  await notarize(early.principal.client);
  await ok(early.admin.get('/v1/records'));
  await expectGenuineVault(api.service);
});

it('a vault verifies if a key that ends soon writes on a chain from before the clock was set back', async () => {
  const { admin, performer } = api.world;
  setClock(2 * HOUR);
  const job = await ok(
    performer.client.post('/v1/records', {
      type: 'job',
      criteria: { goal: 'g', threshold: 5 },
      autoActivate: true,
    }),
  );
  setClock(0);
  const { client } = await mintKey(admin, performer.id, {
    scopeProfile: 'agent-full',
    expiresInSeconds: 1_800,
  });
  await ok(client.post(`/v1/records/${String(job['id'])}/cancel`, {}));
  await expectGenuineVault(api.service);
});
