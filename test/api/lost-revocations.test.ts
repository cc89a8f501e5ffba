import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AnchorSweep } from '../../application/vault/anchor-sweep.ts';
import { CheckpointRound } from '../../application/vault/checkpoint-round.ts';
import { LostRevocations } from '../../application/vault/lost-revocations.ts';
import { Vault } from '../../application/sealing/vault.ts';
import type { RunningService } from '../../config/service.ts';
import { TOKENS } from '../../config/tokens.ts';
import { revocationListKey } from '../../domain/vault/anchor-key.ts';
import { MAX_REVOCATIONS, sealRevocationList } from '../../domain/vault/revocation-list.ts';
import { copyOf, type DatabaseCopy } from '../support/databases/database-copy.ts';
import { quickDatabases } from '../support/databases/databases.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { Client, ok, type Body } from '../support/service/world.ts';

const FEW_ROUNDS = { CHECKPOINT_INTERVAL: '1440', ANCHOR_INTERVAL: '2880' };
const ACKNOWLEDGE = '/v1/admin/vault/rewind/acknowledge';

describe.each(quickDatabases())('what a restore brings back on $name', (kind) => {
  let rig: VaultRig;
  const copies: DatabaseCopy[] = [];

  beforeEach(async () => {
    rig = new VaultRig(kind, FEW_ROUNDS);
    await rig.prepare();
  });
  afterEach(async () => {
    for (const copy of copies.splice(0)) await copy.drop();
    await rig.end();
  });

  const platform = (service: RunningService) => rig.at(service, rig.world.platform);
  const anchor = async (service: RunningService): Promise<void> => {
    await service.container.get(CheckpointRound).run();
    await service.container.get(AnchorSweep).run();
  };
  const backup = async (): Promise<DatabaseCopy> => {
    const copy = await copyOf(rig.database, rig.directory);
    copies.push(copy);
    return copy;
  };
  const restored = <T>(copy: DatabaseCopy, work: (service: RunningService) => Promise<T>) => {
    rig.env = { ...FEW_ROUNDS, DATABASE_URL: copy.url };
    return rig.run(work);
  };
  const mint = async (service: RunningService, ownerId: string): Promise<Body> =>
    ok(
      platform(service).post('/v1/admin/api-keys', {
        role: 'agent',
        ownerType: 'agent',
        ownerId,
        label: 'tool',
      }),
    );
  const using = (service: RunningService, minted: Body): Client =>
    new Client(String(service.url), String(minted['apiKey']));
  const setActive = (service: RunningService, id: unknown, isActive: boolean) =>
    ok(platform(service).patch(`/v1/admin/api-keys/${String(id)}`, { isActive, reason: 'leaked' }));
  const reasons = async (service: RunningService): Promise<readonly string[]> =>
    ((await ok(platform(service).get('/v1/admin/system-health')))['degradedReasons'] as Body[]).map(
      ({ code }) => String(code),
    );
  const acknowledged = async (service: RunningService): Promise<Body> =>
    (await ok(platform(service).post(ACKNOWLEDGE, {})))['lostRevocations'] as Body;
  const lists = (): string => join(rig.directory, 'data-anchors', 'anchors', 'revocations');
  const lost = (...things: readonly (readonly [string, unknown, string])[]) =>
    things.map(([what, id, entryType]) => expect.objectContaining({ kind: what, id, entryType }));

  it('is listed until each of it is revoked again, and the service is degraded so long', async () => {
    const agentId = rig.world.performer.id;
    const { leaked, rotated, kept } = await rig.run(async (service) => ({
      leaked: await mint(service, agentId),
      rotated: await mint(service, agentId),
      kept: await mint(service, agentId),
    }));
    const copy = await backup();
    await rig.run(async (service) => {
      await setActive(service, leaked['keyId'], false);
      const own = using(service, rotated);
      await ok(own.post('/v1/auth/keys/rotate', {}));
      await setActive(service, kept['keyId'], false);
      await setActive(service, kept['keyId'], true);
      const later = await mint(service, agentId);
      await setActive(service, later['keyId'], false);
      await ok(platform(service).post(`/v1/admin/agents/${agentId}/deactivate`, {}));
      await anchor(service);
      expect(await reasons(service)).not.toContain('revocations_lost');
    });

    const both = [
      ['agent', agentId, 'AGENT_DEACTIVATED'],
      ['api_key', leaked['keyId'], 'API_KEY_REVOKED'],
      ['api_key', rotated['keyId'], expect.stringMatching(/API_KEY_RO|API_KEY_REV/) as never],
    ] as const;
    await restored(copy, async (service) => {
      const own = using(service, leaked);
      expect((await own.get('/v1/auth/me')).status).toBe(200);
      expect(await reasons(service)).toEqual(
        expect.arrayContaining(['chain_rewound', 'revocations_lost']),
      );
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
      const list = await acknowledged(service);
      expect(list['data']).toEqual(expect.arrayContaining(lost(...both)));
      expect(list).toMatchObject({ knownFrom: null, knownTo: expect.any(String) as unknown });
      expect(await reasons(service)).toEqual(['revocations_lost']);
      // A sweep of this database keeps what only the earlier one knew.
      await anchor(service);
    });
    await restored(copy, async (service) => {
      expect((await acknowledged(service))['data']).toEqual(expect.arrayContaining(lost(...both)));
      for (const { kind: what, id } of (await acknowledged(service))['data'] as Body[])
        if (what === 'api_key') await setActive(service, id, false);
      await ok(platform(service).post(`/v1/admin/agents/${agentId}/deactivate`, {}));
      await expect.poll(() => reasons(service)).toEqual([]);
      expect(await acknowledged(service)).toMatchObject({ data: [], total: 0 });
      await anchor(service);
    });
    await restored(copy, async (service) => expect(await reasons(service)).toEqual([]));
  });

  it('is dismissed by an operator who revokes a key and enables it again', async () => {
    const key = await rig.run((service) => mint(service, rig.world.performer.id));
    const copy = await backup();
    await rig.run(async (service) => {
      await setActive(service, key['keyId'], false);
      await anchor(service);
    });
    await restored(copy, async (service) => {
      expect((await acknowledged(service))['total']).toBe(1);
      await setActive(service, key['keyId'], false);
      await setActive(service, key['keyId'], true);
      await expect.poll(() => reasons(service)).toEqual([]);
      await anchor(service);
      expect(await reasons(service)).toEqual([]);
    });
  });

  it('is not what an object says that this hub did not sign, and no number of them holds a start up', async () => {
    const minted = await rig.run((service) => mint(service, rig.world.performer.id));
    const id = minted['keyId'];
    const copy = await backup();
    await rig.run(async (service) => {
      await setActive(service, id, false);
      await anchor(service);
      const [name] = readdirSync(lists());
      const bytes = readFileSync(join(lists(), name!));
      const { hub, seal } = service.container.get(Vault);
      const { signer } = await service.container.get(TOKENS.keySource).generate('Ed25519');
      const at = '2099-01-01T00:00:00.000Z';
      const forged = await sealRevocationList({ ...seal, signer }, hub.predicateBase, {
        at,
        from: null,
        revocations: [
          {
            kind: 'agent',
            id: rig.world.principal.id,
            entryType: 'AGENT_DEACTIVATED',
            isRevoked: true,
            at,
          },
        ],
      });
      const put = (file: string, content: Uint8Array) =>
        writeFileSync(join(rig.directory, 'data-anchors', file), content);
      put(revocationListKey(at, forged), forged);
      // The genuine list under a name that is not its own, and with a changed byte.
      put(revocationListKey(at, bytes), bytes);
      const edited = Buffer.from(bytes);
      edited[edited.indexOf('API_KEY_REVOKED')]! ^= 1;
      put(revocationListKey(at, edited), edited);
      for (let n = 0; n < 200; n++)
        writeFileSync(
          join(lists(), `${4_000_000_000 + n}`.padStart(12, '0') + `-${'ab'.repeat(8)}.cose`),
          'x',
        );
    });
    await restored(copy, async (service) => {
      const { data } = await acknowledged(service);
      expect(data).toEqual(lost(['api_key', id, 'API_KEY_REVOKED']));
      expect(await reasons(service)).toContain('revocations_lost');
      // It is a report alone: the service revokes nothing by itself.
      expect((await using(service, minted).get('/v1/auth/me')).status).toBe(200);
    });
  });

  it('is of the newest acts if there are more than a list holds, and the list says so', async () => {
    const ids = Array.from({ length: MAX_REVOCATIONS + 1 }, (_, n) => n);
    const keys = await rig.run(async (service) => {
      // The job of the service sweeps before this, and not again.
      await anchor(service);
      return inTens(ids, () => mint(service, rig.world.performer.id));
    });
    const copy = await backup();
    await rig.run(async (service) => {
      await inTens(keys, ({ keyId }) => setActive(service, keyId, false));
      await anchor(service);
    });
    await restored(copy, async (service) => {
      const list = await acknowledged(service);
      expect(list['total']).toBe(MAX_REVOCATIONS);
      expect(new Set((list['data'] as Body[]).map(({ id }) => id)).size).toBe(MAX_REVOCATIONS);
      expect(list['knownFrom']).toBe((list['data'] as Body[]).at(-1)!['revokedAt']);
      expect(service.container.get(LostRevocations).lost).toHaveLength(MAX_REVOCATIONS);
    });
  });
});

const inTens = async <T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> => {
  const done: R[] = [];
  for (let from = 0; from < items.length; from += 10)
    done.push(...(await Promise.all(items.slice(from, from + 10).map(work))));
  return done;
};
