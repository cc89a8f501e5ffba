import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Vault } from '../../../application/sealing/vault.ts';
import type { RunningService } from '../../../config/service.ts';
import { hashJson } from '../../../domain/kernel/digest.ts';
import { sealBundle } from '../../../domain/record-type/schema-bundle.ts';
import type { Seal } from '../../../domain/vault/chain.ts';
import { databases } from '../../support/databases/databases.ts';
import { VaultRig } from '../../support/service/vault-rig.ts';
import { createWorld, ok, type Body, type World } from '../../support/service/world.ts';

describe('a bundle of record types by a signing key that leaked', () => {
  const rig = new VaultRig(databases()[0]!, { CHECKPOINT_INTERVAL: '1440' });
  beforeAll(() => rig.prepare());
  afterAll(() => rig.end());

  const rotate = (service: RunningService, reason: string): Promise<Body> =>
    ok(rig.at(service, rig.world.platform).post('/v1/admin/vault/signing-keys/rotate', { reason }));
  const stranger = (service: RunningService): Promise<World> =>
    createWorld(String(service.url), String(rig.world.platform.key), `Thief ${Math.random()}`);

  /** The newest version of another org's type, with criteria that it never registered. */
  const forged = async (service: RunningService, leaked: Seal, exportedAt: string) => {
    const admin = rig.at(service, rig.world.admin);
    const { manifests } = await ok(admin.get('/v1/schemas/export?type=note'));
    const [genuine] = manifests as Body[];
    const manifest = {
      ...genuine!['manifest'],
      version: 99,
      criteriaSchema: { type: 'object', required: ['whatever the thief wants'] },
    };
    const { coseSign1, ...bundle } = await sealBundle(
      leaked,
      service.container.get(Vault).hub.predicateBase,
      {
        orgId: rig.world.orgId,
        exportedAt,
        manifests: [{ manifest, manifestDigest: hashJson(manifest) }],
      },
    );
    return { ...bundle, coseSign1: Buffer.from(coseSign1).toString('base64') };
  };

  it('is of an unknown signer once the key is retired as compromised, however it is dated', () =>
    rig.run(async (service) => {
      const leaked = service.container.get(Vault).seal;
      const before = new Date().toISOString();
      await rotate(service, 'compromised');
      const { admin } = await stranger(service);
      for (const at of [before, new Date().toISOString()]) {
        const answer = await admin.post('/v1/schemas/import', await forged(service, leaked, at));
        expect(answer.status).toBe(422);
      }
    }));

  it('is of an unknown signer where it is dated after the key was retired on schedule', () =>
    rig.run(async (service) => {
      const leaked = service.container.get(Vault).seal;
      const admin = rig.at(service, rig.world.admin);
      const genuine = await ok(admin.get('/v1/schemas/export?type=note'));
      await rotate(service, 'scheduled');
      const other = await stranger(service);
      const late = new Date(Date.now() + 1_000).toISOString();
      const answer = await other.admin.post(
        '/v1/schemas/import',
        await forged(service, leaked, late),
      );
      expect(answer.status).toBe(422);
      // One that was made before is as good as it was.
      expect((await other.admin.post('/v1/schemas/import', genuine)).status).toBeLessThan(300);
    }));

  it('is signed by the new key on a node that another one rotated behind', () =>
    rig.run((one) =>
      rig.run(async (other) => {
        const admin = rig.at(one, rig.world.admin);
        // What this node read just now it believes for a second.
        await ok(admin.get('/v1/schemas/export?type=note'));
        await rotate(other, 'compromised');
        const bundle = await ok(admin.get('/v1/schemas/export?type=note'));
        // The other node knows no longer a key that leaked.
        const elsewhere = rig.at(other, rig.world.admin);
        expect((await elsewhere.post('/v1/schemas/import', bundle)).status).toBe(200);
        expect((await admin.post('/v1/schemas/import', bundle)).status).toBe(200);
      }),
    ));
});
