import { describe, expect, it } from 'vitest';
import type { ApiKey } from '../../../domain/identity/api-key.ts';
import type { KeySelection } from '../../../domain/identity/identity-store.port.ts';
import type { Keyset } from '../../../domain/kernel/page.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, bytes, sampleAgent, sampleApiKey, sampleEvent, sampleOrg, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

// Contract of domain/event/event-log.port.ts
// Contract of domain/identity/identity-store.port.ts

export const identityStoresSuite = (kind: DatabaseKind): void => {
  describe(`identity stores on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const unitOfWork = () => database().adapter.unitOfWork;
    const reads = () => database().adapter.reads;

    it('writes the settings of an org that it holds, and nothing else of it', async () => {
      const org = sampleOrg();
      await unitOfWork().transaction((stores) => stores.orgs.insert(org));
      const settings = { requireCoSignature: 'request' } as const;
      await unitOfWork().transaction(async (stores) => {
        expect(await stores.orgs.lock(org.id)).toEqual(org);
        expect(await stores.orgs.lock(uuid())).toBeNull();
        await stores.orgs.update({ ...org, name: 'Another', slug: 'another', settings });
      });
      expect(await reads().orgs.find(org.id)).toEqual({ ...org, settings });
      await expect(
        unitOfWork().transaction((stores) => stores.orgs.update(sampleOrg())),
      ).rejects.toThrow('there is no org');
    });

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
      expect((await reads().orgs.list({ id: org.id }, { limit: 5, after: null })).rows).toEqual([
        org,
      ]);
    });

    it('lists newest first, page by page', async () => {
      const org = sampleOrg();
      const agents = Array.from({ length: 11 }, (_, i) =>
        sampleAgent(org.id, { createdAt: at(i >> 1) }),
      );
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
      expect(ids).toEqual(
        [...agents].sort((a, b) => (order(a) < order(b) ? 1 : -1)).map(({ id }) => id),
      );
    });

    it('filters agents by org, name and whether they are deactivated', async () => {
      const org = sampleOrg();
      const active = sampleAgent(org.id, { name: 'a', capabilities: ['order', 'ledger.entry'] });
      const gone = sampleAgent(org.id, {
        name: 'b',
        deactivatedAt: at(1),
        deactivationReason: 'left',
        managedBy: 'provisioning',
      });
      await unitOfWork().transaction(async (stores) => {
        await stores.agents.insert(gone);
        await stores.agents.insert(active);
        await stores.orgs.insert(org);
        expect(await stores.agents.find(gone.id)).toEqual(gone);
        expect(await stores.agents.find(uuid())).toBeNull();
        const both = await stores.agents.findAll([active.id, uuid(), gone.id]);
        expect(both).toHaveLength(2);
        expect(both).toEqual(expect.arrayContaining([gone, active]));
      });
      const list = async (filter: Parameters<ReturnType<typeof reads>['agents']['list']>[0]) =>
        (await reads().agents.list({ orgId: org.id, ...filter }, { limit: 9, after: null })).rows;
      expect(await list({ deactivated: true })).toEqual([gone]);
      expect(await list({ deactivated: false })).toEqual([active]);
      expect(await list({ name: 'b' })).toEqual([gone]);
      expect(await list({ name: 'B' })).toEqual([]);
      expect(await reads().agents.find(active.id)).toEqual(active);
      expect(await reads().agents.find(uuid())).toBeNull();
    });

    it('changes the capabilities and the deactivation of an agent and nothing else, on a row that it locked', async () => {
      const org = sampleOrg();
      const agent = sampleAgent(org.id, { capabilities: ['order'] });
      await unitOfWork().transaction(async (stores) => {
        await stores.orgs.insert(org);
        await stores.agents.insert(agent);
      });
      await unitOfWork().transaction(async (stores) => {
        expect(await stores.agents.lock(agent.id)).toEqual(agent);
        expect(await stores.agents.lock(uuid())).toBeNull();
        await stores.agents.update({
          ...agent,
          capabilities: ['b', 'a'],
          deactivatedAt: at(5),
          deactivationReason: 'left',
          orgId: uuid(),
          name: 'other',
          createdAt: at(9),
        });
      });
      expect(await reads().agents.find(agent.id)).toEqual({
        ...agent,
        capabilities: ['b', 'a'],
        deactivatedAt: at(5),
        deactivationReason: 'left',
      });
      await unitOfWork().transaction((stores) => stores.agents.update(agent));
      expect(await reads().agents.find(agent.id)).toEqual(agent);
      await expect(
        unitOfWork().transaction((stores) => stores.agents.update(sampleAgent(org.id))),
      ).rejects.toThrow('no agent');
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
        expect(await unitOfWork().transaction((stores) => stores.apiKeys.lock(key.id))).toEqual(
          key,
        );
      }
      expect(await unitOfWork().transaction((stores) => stores.apiKeys.lock(uuid()))).toBeNull();
    });

    it('gives a credential back with its owner, under any pepper; a key without an owner is none', async () => {
      const org = sampleOrg();
      const owner = sampleAgent(org.id, { displayName: 'Worker', deactivatedAt: at(7) });
      const key = sampleApiKey({ ownerId: owner.id, orgId: org.id });
      const orphan = sampleApiKey();
      await unitOfWork().transaction(async (stores) => {
        await stores.orgs.insert(org);
        await stores.agents.insert(owner);
        for (const one of [key, orphan]) await stores.apiKeys.insert(one);
      });
      const found = { key, owner };
      expect(await reads().apiKeys.findCredential([key.keyHash])).toEqual(found);
      expect(await reads().apiKeys.findCredential([bytes('newest'), key.keyHash])).toEqual(found);
      expect(await reads().apiKeys.findCredential([orphan.keyHash])).toBeNull();
      expect(await reads().apiKeys.findCredential([bytes('nobody')])).toBeNull();
    });

    it('selects keys by every member of a selection, those that were never used among them', async () => {
      const orgId = uuid();
      const keys = {
        plain: sampleApiKey({ orgId, createdAt: at(1) }),
        used: sampleApiKey({ orgId, createdAt: at(2), lastUsedAt: at(100), expiresAt: at(9_999) }),
        gone: sampleApiKey({ orgId, createdAt: at(3), role: 'admin', isActive: false }),
        managed: sampleApiKey({ orgId, createdAt: at(4), managedBy: 'provisioning' }),
        elsewhere: sampleApiKey({ orgId: uuid() }),
      };
      await unitOfWork().transaction(async (stores) => {
        for (const key of Object.values(keys)) await stores.apiKeys.insert(key);
      });
      const all = { orgId } as const;
      const select = async (selection: KeySelection): Promise<string[]> => {
        const names = (ids: readonly string[]): string[] =>
          ids
            .map((id) => String(Object.entries(keys).find(([, key]) => key.id === id)?.[0]))
            .sort();
        const read = names(await reads().apiKeys.selectIds(selection, 99));
        expect(
          names(
            (
              await unitOfWork().transaction((stores) => stores.apiKeys.lockSelected(selection, 99))
            ).map(({ id }) => id),
          ),
        ).toEqual(read);
        return read;
      };
      expect(await select(all)).toEqual(['gone', 'managed', 'plain', 'used']);
      expect(await select({ ...all, isActive: true, unmanaged: true })).toEqual(['plain', 'used']);
      expect(await select({ ...all, exceptId: keys.plain.id, createdBefore: at(3) })).toEqual([
        'used',
      ]);
      expect(await select({ ...all, ids: [keys.plain.id, keys.elsewhere.id] })).toEqual(['plain']);
      expect(await select({ ids: [] })).toEqual([]);
      expect(await select({ ...all, lastUsedBefore: at(101) })).toEqual(['used']);
      expect(await select({ ...all, neverUsed: true })).toEqual(['gone', 'managed', 'plain']);
      expect(await select({ ...all, neverUsed: false })).toEqual(['used']);
      expect(await select({ ...all, neverExpires: false })).toEqual(['used']);
      expect(await select({ ...all, role: 'admin' })).toEqual(['gone']);
      expect(await select({ ...all, ownerId: keys.used.ownerId })).toEqual(['used']);
      expect(await reads().apiKeys.selectIds(all, 2)).toHaveLength(2);
    });

    it('knows which orgs a selection of keys governs, and whether a key beside it does', async () => {
      const org = sampleOrg();
      const [holder, gone] = [sampleAgent(org.id), sampleAgent(org.id, { deactivatedAt: at(1) })];
      const governs = (extra: Partial<ApiKey>): ApiKey =>
        sampleApiKey({
          orgId: org.id,
          ownerId: holder.id,
          role: 'admin',
          scopes: ['admin:keys'],
          createdAt: at(1),
          ...extra,
        });
      const only = governs({});
      const others = [
        governs({ isActive: false }),
        governs({ expiresAt: at(10) }),
        governs({ deactivatesAt: at(10) }),
        governs({ scopes: ['audit:read', 'audit:write'] }),
        governs({ ownerId: gone.id }),
        governs({ role: 'agent' }),
        governs({ orgId: uuid() }),
      ];
      await unitOfWork().transaction(async (stores) => {
        await stores.orgs.insert(org);
        for (const agent of [holder, gone]) await stores.agents.insert(agent);
        for (const key of [only, ...others]) await stores.apiKeys.insert(key);
      });
      const now = new Date(at(10));
      const governed = (selection: KeySelection) =>
        unitOfWork().transaction((stores) => stores.apiKeys.governedBy(selection, now));
      const beside = (selection: KeySelection, orgId: string | null = org.id) =>
        unitOfWork().transaction((stores) =>
          stores.apiKeys.isGovernedBeside(orgId, selection, now),
        );
      expect(await governed({ orgId: org.id })).toEqual([org.id]);
      expect(await governed({ ids: others.slice(0, 6).map(({ id }) => id) })).toEqual([]);
      expect(await beside({ ids: [only.id] })).toBe(false);
      expect(await beside({ ids: others.map(({ id }) => id) })).toBe(true);
      // A key that was never used is older than no last use: it is not among those, so it remains.
      expect(await beside({ lastUsedBefore: at(99) })).toBe(true);
      expect(await beside({ neverUsed: true, createdBefore: at(99) })).toBe(false);
      const platform = governs({ role: 'platform', orgId: null });
      await unitOfWork().transaction((stores) => stores.apiKeys.insert(platform));
      expect(await governed({ ids: [platform.id] })).toEqual([null]);
      expect(await beside({ ids: [only.id] }, null)).toBe(true);
    });

    it('lets one close ways into an org at a time', async () => {
      const other = database().another();
      let inside = 0;
      let most = 0;
      const close = (adapter: typeof other) =>
        adapter.unitOfWork.transaction(async (stores) => {
          await stores.apiKeys.governedBy({ ids: [] }, new Date());
          most = Math.max(most, ++inside);
          await new Promise((resolve) => setTimeout(resolve, 20));
          inside--;
        });
      await Promise.all([close(other), close(database().adapter), close(other)]);
      expect(most).toBe(1);
    });

    it('changes of a key what may change and nothing else', async () => {
      const key = sampleApiKey();
      const revoked: ApiKey = {
        ...key,
        isActive: false,
        deactivatesAt: at(1),
        revokedAt: at(2),
        revokedByKeyId: uuid(),
        revocationReason: 'gone',
        version: 2,
      };
      await unitOfWork().transaction((stores) => stores.apiKeys.insert(key));
      await unitOfWork().transaction((stores) =>
        stores.apiKeys.update({
          ...revoked,
          role: 'platform',
          scopes: ['admin:system'],
          ownerId: uuid(),
        }),
      );
      expect(await reads().apiKeys.find(key.id)).toEqual(revoked);
      await expect(
        unitOfWork().transaction((stores) => stores.apiKeys.update(sampleApiKey())),
      ).rejects.toThrow('no API key');
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
        (await reads().apiKeys.list({ orgId, ...filter }, { limit: 9, after: null })).rows.map(
          ({ id }) => Object.entries(keys).find(([, key]) => key.id === id)?.[0],
        );
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

    it('writes the first use of a key before it answers, and none of a key that was revoked first', async () => {
      const [used, revoked] = [sampleApiKey(), sampleApiKey()];
      const { keyUseLog } = database().adapter;
      await unitOfWork().transaction(async (stores) => {
        await stores.apiKeys.insert(used);
        await stores.apiKeys.insert(revoked);
      });
      await unitOfWork().transaction(async (stores) => {
        const key = (await stores.apiKeys.lock(revoked.id))!;
        await stores.apiKeys.update({ ...key, isActive: false, version: key.version + 1 });
      });
      const begun = await Promise.all(
        [10, 20, 30].map((time) => keyUseLog.begin(used.id, new Date(at(time)))),
      );
      expect(begun).toEqual([true, true, true]);
      expect((await reads().apiKeys.find(used.id))?.lastUsedAt).toBe(at(10));
      await keyUseLog.flush();
      expect((await reads().apiKeys.find(used.id))?.lastUsedAt).toBe(at(30));
      expect(await keyUseLog.begin(revoked.id, new Date(at(10)))).toBe(false);
      expect(await keyUseLog.begin(uuid(), new Date(at(10)))).toBe(false);
      expect((await reads().apiKeys.find(revoked.id))?.lastUsedAt).toBeNull();
    });

    it('writes events that no unit of work carries a moment later, each once', async () => {
      const events = Array.from({ length: 450 }, () => sampleEvent({ type: 'key.used' }));
      const { adapter } = database();
      for (const event of events) adapter.eventLog.enqueue(event);
      const stored = async () =>
        (await database().raw("SELECT COUNT(*) AS n FROM outbox WHERE type = 'key.used'"))[0]!['n'];
      await expect.poll(async () => Number(await stored())).toBe(450);
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
      const minted = await Promise.all(
        Array.from({ length: 10 }, (_, i) => mint(i % 2 ? other : database().adapter)),
      );
      expect(minted.filter(Boolean)).toHaveLength(1);
    });
  });
};
