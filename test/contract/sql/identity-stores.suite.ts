import { describe, expect, it } from 'vitest';
import type { ApiKey } from '../../../domain/identity/api-key.ts';
import type { Keyset } from '../../../domain/kernel/page.ts';
import type { DatabaseKind } from '../../support/databases.ts';
import { at, bytes, sampleAgent, sampleApiKey, sampleOrg, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

export const identityStoresSuite = (kind: DatabaseKind): void => {
  describe(`identity stores on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const unitOfWork = () => database().adapter.unitOfWork;
    const reads = () => database().adapter.reads;

    it('gives orgs back, by id and by slug, and tells slugs of different case apart', async () => {
      const org = sampleOrg({ slug: `acme-${uuid()}`, managedBy: 'provisioning' });
      const upper = sampleOrg({ slug: org.slug.toUpperCase() });
      await unitOfWork().transaction(async (stores) => {
        await stores.orgs.insert(org);
        await stores.orgs.insert(upper);
        expect(await stores.orgs.find(org.id)).toEqual(org);
        expect(await stores.orgs.findBySlug(org.slug)).toEqual(org);
        expect(await stores.orgs.findBySlug(upper.slug)).toEqual(upper);
        expect(await stores.orgs.find(uuid())).toBeNull();
      });
      expect(await reads().orgs.find(org.id)).toEqual(org);
      expect((await reads().orgs.list({ id: org.id }, { limit: 5, after: null })).rows).toEqual([org]);
    });

    it('lists newest first, page by page', async () => {
      const org = sampleOrg();
      const agents = Array.from({ length: 11 }, (_, i) => sampleAgent(org.id, { createdAt: at(i >> 1) }));
      await unitOfWork().transaction(async (stores) => {
        await stores.orgs.insert(org);
        for (const agent of agents) await stores.agents.insert(agent);
      });
      const ids: string[] = [];
      let after: Keyset | null = null;
      do {
        const slice = await reads().agents.list({ orgId: org.id }, { limit: 3, after });
        expect(slice.total).toBe(11);
        ids.push(...slice.rows.map(({ id }) => id));
        after = slice.next;
      } while (after);
      const order = (agent: (typeof agents)[number]): string => agent.createdAt + agent.id;
      expect(ids).toEqual([...agents].sort((a, b) => (order(a) < order(b) ? 1 : -1)).map(({ id }) => id));
    });

    it('filters agents by org, name and whether they are deactivated', async () => {
      const org = sampleOrg();
      const active = sampleAgent(org.id, { name: 'a', capabilities: ['order', 'ledger.entry'] });
      const gone = sampleAgent(org.id, { name: 'b', deactivatedAt: at(1), deactivationReason: 'left', managedBy: 'provisioning' });
      await unitOfWork().transaction(async (stores) => {
        await stores.agents.insert(gone);
        await stores.agents.insert(active);
        await stores.orgs.insert(org);
        expect(await stores.agents.find(gone.id)).toEqual(gone);
        expect(await stores.agents.find(uuid())).toBeNull();
      });
      const list = async (filter: Parameters<ReturnType<typeof reads>['agents']['list']>[0]) => (await reads().agents.list({ orgId: org.id, ...filter }, { limit: 9, after: null })).rows;
      expect(await list({ deactivated: true })).toEqual([gone]);
      expect(await list({ deactivated: false })).toEqual([active]);
      expect(await list({ name: 'b' })).toEqual([gone]);
      expect(await list({ name: 'B' })).toEqual([]);
      expect(await reads().agents.find(active.id)).toEqual(active);
      expect(await reads().agents.find(uuid())).toBeNull();
    });

    it('changes the capabilities of an agent and nothing else, on a row that it locked', async () => {
      const org = sampleOrg();
      const agent = sampleAgent(org.id, { capabilities: ['order'] });
      await unitOfWork().transaction(async (stores) => {
        await stores.orgs.insert(org);
        await stores.agents.insert(agent);
      });
      await unitOfWork().transaction(async (stores) => {
        expect(await stores.agents.lock(agent.id)).toEqual(agent);
        expect(await stores.agents.lock(uuid())).toBeNull();
        await stores.agents.update({ ...agent, capabilities: ['b', 'a'], orgId: uuid(), name: 'other', createdAt: at(9) });
      });
      expect(await reads().agents.find(agent.id)).toEqual({ ...agent, capabilities: ['b', 'a'] });
      await expect(unitOfWork().transaction((stores) => stores.agents.update(sampleAgent(org.id)))).rejects.toThrow('no agent');
    });

    it('gives API keys back, whether every member is set or none, by id and by hash', async () => {
      const bare = sampleApiKey({ role: 'platform', orgId: null });
      const full = sampleApiKey({
        label: 'ci',
        environment: 'test',
        scopes: ['records:write', 'admin:keys'],
        scopeProfile: 'agent-full',
        allowedIps: ['10.0.0.0/8', '2001:db8::/32'],
        isActive: false,
        expiresAt: at(1),
        lastUsedAt: at(2),
        createdByKeyId: uuid(),
        rotatedFromKeyId: uuid(),
        deactivatesAt: at(3),
        revokedAt: at(4),
        revokedByKeyId: uuid(),
        revocationReason: 'leaked',
        managedBy: 'provisioning',
      });
      await unitOfWork().transaction(async (stores) => {
        await stores.apiKeys.insert(bare);
        await stores.apiKeys.insert(full);
      });
      for (const key of [bare, full]) {
        expect(await reads().apiKeys.find(key.id)).toEqual(key);
        expect(await reads().apiKeys.findByHash(key.keyHash)).toEqual(key);
        expect(await unitOfWork().transaction((stores) => stores.apiKeys.lock(key.id))).toEqual(key);
      }
      expect(await reads().apiKeys.findByHash(bytes('nobody'))).toBeNull();
      expect(await unitOfWork().transaction((stores) => stores.apiKeys.lock(uuid()))).toBeNull();
    });

    it('changes of a key what may change and nothing else', async () => {
      const key = sampleApiKey();
      const revoked: ApiKey = { ...key, isActive: false, deactivatesAt: at(1), revokedAt: at(2), revokedByKeyId: uuid(), revocationReason: 'gone' };
      await unitOfWork().transaction((stores) => stores.apiKeys.insert(key));
      await unitOfWork().transaction((stores) => stores.apiKeys.update({ ...revoked, role: 'platform', scopes: ['admin:system'], ownerId: uuid(), rowMac: bytes('forged') }));
      expect(await reads().apiKeys.find(key.id)).toEqual(revoked);
      await expect(unitOfWork().transaction((stores) => stores.apiKeys.update(sampleApiKey()))).rejects.toThrow('no API key');
    });

    it('filters keys by every member of the filter', async () => {
      const orgId = uuid();
      const keys = {
        plain: sampleApiKey({ orgId, createdAt: at(1) }),
        used: sampleApiKey({ orgId, createdAt: at(2), lastUsedAt: at(100), expiresAt: at(9_999) }),
        admin: sampleApiKey({ orgId, createdAt: at(3), role: 'admin', isActive: false }),
      };
      await unitOfWork().transaction(async (stores) => {
        for (const key of Object.values(keys)) await stores.apiKeys.insert(key);
      });
      const list = async (filter: Parameters<ReturnType<typeof reads>['apiKeys']['list']>[0]) =>
        (await reads().apiKeys.list({ orgId, ...filter }, { limit: 9, after: null })).rows.map(({ id }) => Object.entries(keys).find(([, key]) => key.id === id)?.[0]);
      expect(await list({})).toEqual(['admin', 'used', 'plain']);
      expect(await list({ ownerId: keys.used.ownerId })).toEqual(['used']);
      expect(await list({ isActive: false })).toEqual(['admin']);
      expect(await list({ isActive: true })).toEqual(['used', 'plain']);
      expect(await list({ role: 'admin' })).toEqual(['admin']);
      expect(await list({ createdBefore: at(2) })).toEqual(['plain']);
      expect(await list({ lastUsedBefore: at(100) })).toEqual([]);
      expect(await list({ lastUsedBefore: at(101) })).toEqual(['used']);
      expect(await list({ neverUsed: true })).toEqual(['admin', 'plain']);
      expect(await list({ neverExpires: true })).toEqual(['admin', 'plain']);
    });

    it('remembers the latest use of a key, written now and then', async () => {
      const key = sampleApiKey();
      const { keyUseLog } = database().adapter;
      await unitOfWork().transaction((stores) => stores.apiKeys.insert(key));
      keyUseLog.touch(key.id, new Date(at(50)));
      keyUseLog.touch(key.id, new Date(at(10)));
      keyUseLog.touch(uuid(), new Date());
      expect((await reads().apiKeys.find(key.id))?.lastUsedAt).toBeNull();
      await keyUseLog.flush();
      expect((await reads().apiKeys.find(key.id))?.lastUsedAt).toBe(at(50));
      keyUseLog.touch(key.id, new Date(at(20)));
      await keyUseLog.flush();
      expect((await reads().apiKeys.find(key.id))?.lastUsedAt).toBe(at(50));
    });
  });

  describe(`the first platform key on ${kind.name}`, () => {
    const database = useDatabase(kind);

    it('is minted once, however many processes try at once', async () => {
      const other = database().another();
      const mint = (adapter: typeof other) =>
        adapter.unitOfWork.transaction(async (stores) => {
          if (await stores.apiKeys.anyPlatformKey()) return false;
          await stores.apiKeys.insert(sampleApiKey({ role: 'platform', orgId: null }));
          return true;
        });
      const minted = await Promise.all(Array.from({ length: 10 }, (_, i) => mint(i % 2 ? other : database().adapter)));
      expect(minted.filter(Boolean)).toHaveLength(1);
    });
  });
};
