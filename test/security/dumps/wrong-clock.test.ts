import { it } from 'vitest';
import { TOKENS } from '../../../config/tokens.ts';
import { useApi } from '../../support/service/api.ts';
import { expectGenuineVault } from '../../support/service/genuine-vault.ts';
import { createWorld, mintKey, ok, openJob, type Client } from '../../support/service/world.ts';
import { openChild } from '../../support/stories/tree.ts';

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

it.each<[string, (agent: Client, admin: Client) => Promise<unknown>]>([
  ['notarized', (agent) => notarize(agent)],
  ['read', (_agent, admin) => ok(admin.get('/v1/records'))],
  [
    'cancelled a tree whose root has a newer entry than its child',
    async (agent) => {
      const { id: root } = await openJob(api.world);
      await openChild(api.world, root, api.world.principal);
      setClock(3 * HOUR);
      await ok(
        agent.post(`/v1/records/${String(root)}/references`, {
          kind: 'ticket',
          uri: 'https://tickets.example/7',
        }),
      );
      setClock(0);
      await ok(agent.post(`/v1/records/${String(root)}/cancel`, { cascade: true }));
    },
  ],
])(
  'a vault verifies if a key %s while the clock was three hours ahead, and was revoked afterwards',
  async (_what, use) => {
    const { admin, principal } = api.world;
    const agentKey = await mintKey(admin, principal.id, { scopeProfile: 'agent-full' });
    const adminKey = await mintKey(admin, principal.id, {
      role: 'admin',
      scopeProfile: 'admin-standard',
    });
    setClock(3 * HOUR);
    await use(agentKey.client, adminKey.client);
    setClock(0);
    for (const { keyId } of [agentKey, adminKey])
      await ok(admin.patch(`/v1/admin/api-keys/${keyId}`, { isActive: false }));
    await expectGenuineVault(api.service);
  },
);

it('a vault verifies if the clock of a node was three hours behind the one of its database', async () => {
  const { admin, principal } = api.world;
  const { id } = await openJob(api.world);
  setClock(-3 * HOUR);
  const { client } = await mintKey(admin, principal.id, {
    scopeProfile: 'agent-full',
    expiresInSeconds: 1_800,
  });
  // The database decides whether a deadline has passed, so the entry has its time.
  await ok(client.post(`/v1/records/${String(id)}/cancel`, {}));
  setClock(0);
  await expectGenuineVault(api.service);
});
