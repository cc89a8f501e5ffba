import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CheckpointRound } from '../../application/vault/checkpoint-round.ts';
import type { RunningService } from '../../config/service.ts';
import { TOKENS } from '../../config/tokens.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import { quickDatabases } from '../support/databases/databases.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { Client, ok, type Body } from '../support/service/world.ts';

const PATH = '/v1/audit-vault/checkpoints';

describe.each(quickDatabases())(`GET ${PATH} on $name`, (kind) => {
  const rig = new VaultRig(kind, { CHECKPOINT_INTERVAL: '1440' });
  const notes: string[] = [];
  beforeAll(async () => {
    await rig.prepare();
    await rig.run(async (service) => {
      const { world } = rig;
      for (let count = 0; count < 3; count++) {
        const client = rig.at(service, world.principal.client);
        notes.push(
          String(
            (await ok(client.post('/v1/records', { type: 'note', criteria: { text: 'a note' } })))[
              'id'
            ],
          ),
        );
        await service.container.get(CheckpointRound).run();
      }
    });
  });
  afterAll(() => rig.end());

  const page = (client: Client, query = ''): Promise<Body> => ok(client.get(`${PATH}${query}`));
  const chainsOf = (listed: Body): readonly string[] =>
    (listed['data'] as Body[]).map(({ chainKey }) => String(chainKey));
  const admin = (service: RunningService) => rig.at(service, rig.world.admin);

  it('lists those of the chains of the own org, newest first, as they were signed', () =>
    rig.run(async (service) => {
      const listed = await page(admin(service));
      const chains = chainsOf(listed);
      expect(chains).not.toContain(PLATFORM_CHAIN);
      expect(chains.filter((key) => notes.includes(key))).toEqual([...notes].reverse());
      expect(chains).toContain(`schema:${rig.world.orgId}`);
      for (const row of listed['data'] as Body[]) {
        expect(Object.keys(row)).toEqual([
          'id',
          'logIndex',
          'chainKind',
          'chainKey',
          'position',
          'headHash',
          'signingKeyId',
          'createdAt',
          'coseSign1',
        ]);
        const { predicate } = readEntry(Buffer.from(String(row['coseSign1']), 'base64'))!;
        const { logIndex, chainKey, position, headHash } = row;
        expect(predicate).toMatchObject({ logIndex, chainKey, position, headHash });
      }
      expect(listed).toMatchObject({ total: chains.length, hasMore: false, nextCursor: null });
    }));

  it('goes on where the page before ended, and shows each once', () =>
    rig.run(async (service) => {
      const whole = chainsOf(await page(admin(service)));
      const found: string[] = [];
      for (let cursor: string | null = '', pages = 0; cursor !== null; pages++) {
        expect(pages).toBeLessThan(10);
        const next = cursor === '' ? '' : `&cursor=${cursor}`;
        const listed = await page(admin(service), `?limit=1${next}`);
        found.push(...chainsOf(listed));
        expect(listed['hasMore']).toBe(listed['nextCursor'] !== null);
        cursor = listed['nextCursor'] as string | null;
      }
      expect(found).toEqual(whole);
    }));

  it('a read by a platform key is a leaf in the log of each org whose chains it shows, and of no other', () =>
    rig.run(async (service) => {
      const { world } = rig;
      const platform = rig.at(service, world.platform);
      const { id: other } = await ok(
        platform.post('/v1/admin/orgs', { name: 'Idle', slug: 'idle' }),
      );
      const leaves = async (orgId: unknown): Promise<readonly unknown[]> =>
        (await service.container.get(TOKENS.orgReadsLogs).from(String(orgId), 0, 500)).map(
          ({ coseSign1 }) => readEntry(coseSign1)!.predicate,
        );
      const before = (await leaves(world.orgId)).length;
      await page(platform);
      const added = (await leaves(world.orgId)).slice(before);
      expect(added).toMatchObject([
        { operation: 'listCheckpoints', actor: { kind: 'platform' }, protocol: 'rest' },
      ]);
      expect(await leaves(other)).toEqual([]);
    }));

  it('shows another org none of them, a platform key all, and an agent none', () =>
    rig.run(async (service) => {
      const { world } = rig;
      const platform = rig.at(service, world.platform);
      const other = await ok(
        platform.post('/v1/admin/orgs', { name: 'Others', slug: 'others', bootstrapAdmin: true }),
      );
      const others = new Client(platform.url, String(other['bootstrapKey'].apiKey));
      expect(chainsOf(await page(others))).toEqual([]);
      const all = chainsOf(await page(platform));
      expect(all).toEqual(expect.arrayContaining([PLATFORM_CHAIN, ...notes]));
      expect(await rig.at(service, world.principal.client).get(PATH)).toMatchObject({
        status: 403,
      });
    }));
});
