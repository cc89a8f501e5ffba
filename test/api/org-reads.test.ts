import { generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrgReadsLog } from '../../application/transparency/org-reads-log.ts';
import { OrgReadsRound } from '../../application/transparency/org-reads-round.ts';
import type { UnitOfWork } from '../../application/ports/unit-of-work.port.ts';
import { PlatformLedger } from '../../application/sealing/platform-ledger.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { TOKENS } from '../../config/tokens.ts';
import type { RunningService } from '../../config/service.ts';
import { fromHex, hashJson, toHex } from '../../domain/kernel/digest.ts';
import { cosignatureBytes } from '../../domain/transparency/cosignature.ts';
import { openOrgRead, type OrgRead, type ReadClaim } from '../../domain/transparency/org-read.ts';
import { isOrgRead } from '../../domain/transparency/org-reads-tree.ts';
import type { TenantReadPredicate } from '../../domain/vault/statement.ts';
import { quickDatabases } from '../support/databases/databases.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { addAgent, GOAL, ok, type Body, type Client } from '../support/service/world.ts';

const CHECKPOINTS = '/v1/audit/org-reads/checkpoints';

describe.each(quickDatabases())('the log of reads of an org on $name', (kind) => {
  const rig = new VaultRig(kind);

  beforeAll(() => rig.prepare());
  afterAll(() => rig.end());

  const logOf = (
    { container }: RunningService,
    orgId: unknown = rig.world.orgId,
  ): Promise<readonly OrgRead[]> =>
    container.get(TOKENS.orgReadsLogs).from(String(orgId), 0, 10_000);

  const saidBy = async (
    { container }: RunningService,
    reads: readonly OrgRead[],
  ): Promise<readonly (TenantReadPredicate | null)[]> => {
    const { keyOf } = container.get(Vault);
    return Promise.all(reads.map((read) => openOrgRead(read, keyOf)));
  };

  /** Gapless, linked, each leaf signed. */
  const expectWhole = async (service: RunningService): Promise<readonly OrgRead[]> => {
    const log = await logOf(service);
    const said = await saidBy(service, log);
    expect(said.map((one) => one?.leafIndex)).toEqual(log.map((_read, at) => at));
    expect(said.map((one) => one?.previousHash)).toEqual(
      log.map((_read, at) => (at === 0 ? '0'.repeat(64) : toHex(log[at - 1]!.leafHash))),
    );
    return log;
  };

  const principalOf = (service: RunningService): Client =>
    rig.at(service, rig.world.principal.client);

  const note = (service: RunningService): Promise<Body> =>
    ok(
      rig.at(service, rig.world.principal.client).post('/v1/records', {
        type: 'note',
        criteria: { text: 'a note' },
      }),
    );

  const checkpointed = async (service: RunningService): Promise<Body> => {
    const round = service.container.get(OrgReadsRound);
    expect((await round.run()).broken).toEqual([]);
    const page = await ok(rig.at(service, rig.world.admin).get(CHECKPOINTS));
    return (page['data'] as Body[])[0]!;
  };

  it('has a leaf for a read by an admin and by the platform, and for none by an agent', () =>
    rig.run(async (service) => {
      const admin = rig.at(service, rig.world.admin);
      const platform = rig.at(service, rig.world.platform);
      const { id } = await note(service);
      const before = (await logOf(service)).length;
      await ok(rig.at(service, rig.world.principal.client).get(`/v1/records/${String(id)}`));
      expect(await logOf(service)).toHaveLength(before);
      await ok(admin.get(`/v1/records/${String(id)}`));
      await ok(platform.get('/v1/records?limit=5'));
      await ok(platform.get(`/v1/records?orgId=${rig.world.orgId}&status=REJECTED`));
      await ok(admin.get('/v1/records?status=REJECTED'));
      // These show nothing that an org has here, or nothing at all.
      await ok(platform.get('/v1/auth/me'));
      await ok(admin.get(CHECKPOINTS));
      expect((await admin.get(`/v1/records/${rig.world.orgId}`)).status).toBe(404);
      const added = (await logOf(service)).slice(before);
      expect(await saidBy(service, added)).toMatchObject([
        {
          entryType: 'ORG_READ',
          orgId: rig.world.orgId,
          leafIndex: before,
          operation: 'getRecord',
          target: `record/${String(id)}`,
          inputDigest: hashJson({ recordId: String(id) }),
          protocol: 'rest',
          actor: { kind: 'admin', orgId: rig.world.orgId },
        },
        { operation: 'listRecords', actor: { kind: 'platform' } },
        { operation: 'listRecords', actor: { kind: 'platform' } },
        { operation: 'listRecords', actor: { kind: 'admin' } },
      ]);
      expect(added).toHaveLength(4);
    }));

  it('is linked and without a gap where two nodes write it at once', () =>
    rig.run((one) =>
      rig.run(async (other) => {
        const { id } = await note(one);
        const before = (await logOf(one)).length;
        const clients = [one, other].map((service) => rig.at(service, rig.world.admin));
        await Promise.all(
          Array.from({ length: 120 }, (_, n) =>
            ok(clients[n % 2]!.get(`/v1/records/${String(id)}`)),
          ),
        );
        expect(await expectWhole(one)).toHaveLength(before + 120);
      }),
    ));

  it('has a leaf for an export in every form, in the log of each org whose data it shows', () =>
    rig.run(async (service) => {
      const platform = rig.at(service, rig.world.platform);
      const admin = rig.at(service, rig.world.admin);
      const { id: otherOrg } = await ok(platform.post('/v1/admin/orgs', { name: 'Another' }));
      const stranger = await addAgent(platform, String(otherOrg), 'stranger');
      const here = [principalOf(service), rig.at(service, rig.world.performer.client)] as const;
      const job = { type: 'job', criteria: GOAL, autoActivate: true };
      const { id: parent } = await ok(
        here[0].post('/v1/records', { ...job, performerAgentId: rig.world.performer.id }),
      );
      const { id: child } = await ok(
        here[1].post('/v1/records', {
          ...job,
          autoActivate: false,
          parentRecordId: parent,
          performerAgentId: stranger.id,
        }),
      );
      await ok(stranger.client.post(`/v1/records/${String(child)}/accept`));
      const newest = async (orgId: unknown): Promise<string> => {
        const read = (await logOf(service, orgId)).at(-1);
        const said = read && (await saidBy(service, [read]))[0];
        return said ? `${said.leafIndex} ${said.operation} ${String(said.target)}` : 'none';
      };
      const forms = [
        ['audit-export', 'exportAudit'],
        ['audit-export?format=ndjson', 'exportAudit'],
        ['audit-export?format=csv', 'exportAudit'],
        ['attestation', 'exportAttestation'],
        ['attestation.bundle', 'exportBundle'],
      ] as const;
      const expectLeaves = async (
        client: Client,
        path: string,
        logs: readonly unknown[],
        operation: string,
      ): Promise<void> => {
        const counts = await Promise.all(
          [rig.world.orgId, otherOrg].map((orgId) => logOf(service, orgId)),
        );
        const answer = await fetch(`${client.url}/v1/records/${path}`, {
          headers: { authorization: `Bearer ${String(client.key)}` },
        });
        expect(answer.status, path).toBe(200);
        await answer.arrayBuffer();
        for (const [at, orgId] of [rig.world.orgId, otherOrg].entries()) {
          const { length } = counts[at]!;
          const isLogged = logs.includes(orgId);
          expect(await logOf(service, orgId), path).toHaveLength(length + (isLogged ? 1 : 0));
          if (isLogged)
            expect(await newest(orgId), path).toBe(
              `${length} ${operation} record/${path.split('/')[0]!}`,
            );
        }
      };
      const both = [rig.world.orgId, otherOrg];
      for (const client of [platform, admin])
        for (const [form, operation] of forms) {
          await expectLeaves(client, `${String(child)}/${form}`, both, operation);
          await expectLeaves(client, `${String(parent)}/${form}`, [rig.world.orgId], operation);
        }
      const tree = `${String(parent)}/audit-export?subtree=true`;
      for (const form of ['', '&format=ndjson', '&format=csv'])
        await expectLeaves(platform, `${tree}${form}`, both, 'exportAudit');
      await expectLeaves(here[1], tree, [], 'exportAudit');
    }));

  it('shares a commit among reads that arrive together', () =>
    rig.run(async ({ container }) => {
      const unitOfWork = container.get(TOKENS.unitOfWork);
      let commits = 0;
      const counting: UnitOfWork = {
        transaction: (work) => {
          commits++;
          return unitOfWork.transaction(work);
        },
      };
      const reads = container.get(TOKENS.orgReadsLogs);
      const log = new OrgReadsLog(
        counting,
        reads,
        container.get(Vault),
        container.get(PlatformLedger),
        container.get(TOKENS.clock),
      );
      const claim: ReadClaim = {
        actor: { kind: 'platform' },
        requestId: 'r',
        operation: 'getRecord',
        inputDigest: '0'.repeat(64),
        protocol: 'rest',
      };
      const before = (await reads.from(rig.world.orgId, 0, 10_000)).length;
      await Promise.all(Array.from({ length: 257 }, () => log.append(rig.world.orgId, claim)));
      // The first one alone, and then 64 each.
      expect(commits).toBe(5);
      expect(await reads.from(rig.world.orgId, 0, 10_000)).toHaveLength(before + 257);
    }));

  it('refuses a read whose leaf cannot be written', () =>
    rig.run(async (service) => {
      const { id } = await note(service);
      const admin = rig.at(service, rig.world.admin);
      await ok(admin.get(`/v1/records/${String(id)}`));
      await rig.database.raw('DROP TRIGGER org_admin_reads_no_update');
      await rig.database.raw('ALTER TABLE org_admin_reads RENAME TO moved_away');
      try {
        const refused = await admin.get(`/v1/records/${String(id)}`);
        expect(refused.status).toBeGreaterThanOrEqual(500);
        expect(JSON.stringify(refused.body)).not.toContain('a note');
        for (const form of ['audit-export', 'audit-export?subtree=true', 'attestation']) {
          const answer = await admin.get(`/v1/records/${String(id)}/${form}`);
          expect(answer.status, form).toBeGreaterThanOrEqual(500);
        }
      } finally {
        await rig.database.raw('ALTER TABLE moved_away RENAME TO org_admin_reads');
      }
      await ok(admin.get(`/v1/records/${String(id)}`));
      await expectWhole(service);
    }));

  it('proves a read under a signed checkpoint, and gives none out of range', () =>
    rig.run(async (service) => {
      const admin = rig.at(service, rig.world.admin);
      const checkpoint = await checkpointed(service);
      const log = await logOf(service);
      const size = Number(checkpoint['treeSize']);
      for (const leaf of [0, 1, Math.floor(size / 2), size - 1]) {
        const proof = await ok(
          admin.get(`${CHECKPOINTS}/${String(checkpoint['id'])}/proof?leaf=${leaf}`),
        );
        const path = (proof['path'] as string[]).map(fromHex);
        expect(proof).toMatchObject({
          leafIndex: leaf,
          treeSize: size,
          rootHash: checkpoint['rootHash'],
        });
        expect(path).toHaveLength(Math.ceil(Math.log2(size)));
        const root = fromHex(String(checkpoint['rootHash']));
        expect(isOrgRead(log[leaf]!.leafHash, leaf, size, path, root)).toBe(true);
      }
      const none = await admin.get(`${CHECKPOINTS}/${String(checkpoint['id'])}/proof?leaf=${size}`);
      expect(none.status).toBe(400);
      // Nothing grew, so nothing is signed again.
      expect(await service.container.get(OrgReadsRound).run()).toMatchObject({ covered: 0 });
    }));

  it('takes one cosignature of a witness on a checkpoint, after verifying it', () =>
    rig.run(async (service) => {
      const platform = rig.at(service, rig.world.platform);
      const admin = rig.at(service, rig.world.admin);
      const { publicKey, privateKey } = generateKeyPairSync('ed25519');
      const witness = await ok(
        platform.post('/v1/admin/witnesses', {
          name: 'Auditors',
          publicKeyJwk: publicKey.export({ format: 'jwk' }),
        }),
      );
      await note(service);
      await ok(admin.get('/v1/records'));
      const checkpoint = await checkpointed(service);
      const path = `${CHECKPOINTS}/${String(checkpoint['id'])}`;
      const bytes = cosignatureBytes(Buffer.from(String(checkpoint['coseSign1']), 'base64'));
      const signatureOf = (over: Uint8Array): string =>
        sign(null, over, privateKey).toString('base64');
      const { witnessKeyId } = witness;
      const wrong = await admin.post(`${path}/cosign`, {
        witnessKeyId,
        signature: signatureOf(new Uint8Array(3)),
      });
      expect(wrong.status).toBe(422);
      const right = { witnessKeyId, signature: signatureOf(bytes) };
      expect((await ok(admin.post(`${path}/cosign`, right)))['cosignature']).toMatchObject(right);
      expect((await admin.post(`${path}/cosign`, right)).status).toBe(409);
      expect((await ok(admin.get(path)))['cosignature']).toMatchObject(right);
      await ok(platform.call('DELETE', `/v1/admin/witnesses/${String(witnessKeyId)}`));
      expect((await ok(platform.get('/v1/admin/witnesses')))['data']).toEqual([]);
    }));

  it('is covered by the old key in a rotation and by the new one after it, while reads go on', () =>
    rig.run((one) =>
      rig.run(async (other) => {
        const { id } = await note(one);
        const clients = [one, other].map((service) => rig.at(service, rig.world.admin));
        let isOver = false;
        const reads = clients.map(async (client) => {
          while (!isOver) await ok(client.get(`/v1/records/${String(id)}`));
        });
        const rotating = ok(
          rig.at(one, rig.world.platform).post('/v1/admin/vault/signing-keys/rotate', {}),
        );
        const rotation = await rotating;
        for (const client of clients) await ok(client.get('/v1/records'));
        isOver = true;
        await Promise.all(reads);
        const log = await expectWhole(one);
        expect(log.at(-1)!.signingKeyId).toBe(rotation['newKeyId']);
        const page = await ok(clients[0]!.get(`${CHECKPOINTS}?limit=200`));
        const sizesBy = (keyId: unknown): number[] =>
          (page['data'] as Body[])
            .filter(({ signingKeyId }) => signingKeyId === keyId)
            .map(({ treeSize }) => Number(treeSize));
        const byOld = log.filter(({ signingKeyId }) => signingKeyId === rotation['previousKeyId']);
        expect(Math.max(...sizesBy(rotation['previousKeyId']))).toBe(byOld.length);
        expect(Math.max(...sizesBy(rotation['newKeyId']))).toBeGreaterThanOrEqual(byOld.length);
        expect(log.slice(0, byOld.length)).toEqual(byOld);
      }),
    ));

  it('signs nothing over a log that was cut or changed behind it', () =>
    rig.run(async (service) => {
      await checkpointed(service);
      await rig.database.raw('DROP TRIGGER org_admin_reads_no_delete');
      const log = await logOf(service);
      await rig.database.raw(`DELETE FROM org_admin_reads WHERE leaf_index >= ${log.length - 2}`);
      await rig.run(async (restarted) => {
        const refused = await rig.at(restarted, rig.world.admin).get('/v1/records');
        expect(refused.status).toBe(409);
        expect(refused.body).toMatchObject({ reason: 'log_broken' });
      });
    }));
});
