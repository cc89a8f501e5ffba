import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrgReadsRound } from '../../application/transparency/org-reads-round.ts';
import { RotateSigningKey } from '../../application/vault/rotate-signing-key.ts';
import { systemOrigin } from '../../application/sealing/origin.ts';
import { Vault } from '../../application/vault/vault.ts';
import { TOKENS } from '../../config/tokens.ts';
import type { RunningService } from '../../config/service.ts';
import { hashJson, toHex } from '../../domain/kernel/digest.ts';
import { openOrgRead, type OrgRead } from '../../domain/transparency/org-read.ts';
import { databases } from '../support/databases.ts';
import { VaultRig } from '../support/vault-rig.ts';
import { ok, type Body } from '../support/world.ts';

describe.each(databases())('the log of reads of an org on $name', (kind) => {
  const rig = new VaultRig(kind);

  beforeAll(() => rig.prepare());
  afterAll(() => rig.end());

  const logOf = ({ container }: RunningService, orgId: unknown): Promise<readonly OrgRead[]> =>
    container.get(TOKENS.orgReadsLogs).from(String(orgId), 0, 10_000);

  const note = (service: RunningService): Promise<Body> =>
    ok(
      rig.at(service, rig.world.principal.client).post('/v1/records', {
        type: 'note',
        criteria: { text: 'a note' },
      }),
    );

  it('has a leaf for a read by an admin and by the platform, and for none by an agent', () =>
    rig.run(async (service) => {
      const { id, orgId } = await note(service);
      const before = (await logOf(service, orgId)).length;
      await ok(rig.at(service, rig.world.principal.client).get(`/v1/records/${String(id)}`));
      expect(await logOf(service, orgId)).toHaveLength(before);
      await ok(rig.at(service, rig.world.admin).get(`/v1/records/${String(id)}`));
      await ok(rig.at(service, rig.world.platform).get('/v1/records?limit=5'));
      await ok(rig.at(service, rig.world.platform).get('/v1/auth/me'));
      expect((await rig.at(service, rig.world.admin).get('/v1/records/x')).status).toBe(
        400,
      );
      const added = (await logOf(service, orgId)).slice(before);
      const keyOf = service.container.get(Vault).keyOf;
      const said = await Promise.all(added.map((read) => openOrgRead(read, keyOf)));
      expect(said).toMatchObject([
        {
          entryType: 'ORG_READ',
          orgId,
          leafIndex: before,
          operation: 'getRecord',
          target: `record/${String(id)}`,
          inputDigest: hashJson({ recordId: String(id) }),
          protocol: 'rest',
          actor: { kind: 'admin' },
        },
        { operation: 'listRecords', actor: { kind: 'platform' }, leafIndex: before + 1 },
      ]);
    }));
});
