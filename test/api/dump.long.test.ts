import { generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidToSql } from '../../adapters/sql/base/values.ts';
import { TakeDump, type DumpTaken } from '../../application/vault/take-dump.ts';
import type { RunningService } from '../../config/service.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { cosignatureBytes } from '../../domain/transparency/cosignature.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import { verifyDump } from '../../domain/verification/dump/verify-dump.ts';
import type { VerificationReport } from '../../domain/verification/report/report.ts';
import { trustOf, type Trust } from '../../domain/verification/keys/trust.ts';
import { databases } from '../support/databases/databases.ts';
import {
  dumpCollector,
  rowsOf,
  sourceOf,
  type DumpTexts,
} from '../support/attackers/dump-files.ts';
import { literal, VaultRig } from '../support/service/vault-rig.ts';
import { ok, type Body } from '../support/service/world.ts';

describe.each(databases())('a dump of the vault on $name', (kind) => {
  const rig = new VaultRig(kind, { CHECKPOINT_INTERVAL: '1440' });
  const fingerprints: string[] = [];

  beforeAll(async () => {
    await rig.prepare();
    await rig.run(async (service) => {
      fingerprints.push(service.vault.fingerprint);
      for (let round = 0; round < 2; round++) {
        await note(service);
        await story(service);
        const rotated = await ok(
          rig.at(service, rig.world.platform).post('/v1/admin/vault/signing-keys/rotate'),
        );
        expect(rotated['status']).toBe('rotated');
      }
      await story(service);
    });
    await rig.run((service) => Promise.resolve(fingerprints.push(service.vault.fingerprint)));
  });
  afterAll(() => rig.end());

  const note = (service: RunningService): Promise<Body> =>
    ok(
      rig.at(service, rig.world.principal.client).post('/v1/records', {
        type: 'note',
        criteria: { text: 'a note' },
      }),
    );

  /** A record with a life. */
  const story = async (service: RunningService): Promise<void> => {
    const principal = rig.at(service, rig.world.principal.client);
    const performer = rig.at(service, rig.world.performer.client);
    const { id } = await ok(
      principal.post('/v1/records', {
        type: 'job',
        criteria: { goal: 'a job', threshold: 3 },
        performerAgentId: rig.world.performer.id,
      }),
    );
    const path = `/v1/records/${String(id)}`;
    await performer.post(`${path}/accept`);
    await ok(performer.post(`${path}/completions`, { evidence: { score: 5 } }));
  };

  const dump = async (
    service: RunningService,
    withRound = true,
  ): Promise<{ texts: DumpTexts; taken: DumpTaken }> => {
    const { write, texts } = dumpCollector();
    const taken = await service.container.get(TakeDump).execute({ withRound, write });
    return { texts: texts(), taken };
  };

  const bytesOf = (row: JsonObject): Uint8Array =>
    Uint8Array.from(Buffer.from(String(row['cose_sign1']), 'base64'));
  const pin = (sha256Hex: string): Trust => trustOf({ kind: 'fingerprint', sha256Hex });
  const verify = (texts: DumpTexts, trust = pin(fingerprints[0]!)): Promise<VerificationReport> =>
    verifyDump(sourceOf(texts), { trust });

  it('is VALID under the oldest pin and under the newest, and says as of when it is complete', () =>
    rig.run(async (service) => {
      const { texts, taken } = await dump(service);
      for (const fingerprint of fingerprints) {
        const report = await verify(texts, pin(fingerprint));
        expect(report).toMatchObject({ verdict: 'valid', failures: [], reasons: [] });
        expect(report.subject).toMatchObject({
          kind: 'dump',
          entries: taken.entries,
          dump: { chains: taken.chains, checkpoints: taken.checkpoints, reads: taken.reads },
        });
        expect(report.subject.completeAsOf).not.toBeNull();
        expect(report.subject.keyIds).toHaveLength(3);
      }
      expect(taken.reads).toBeGreaterThan(0);
      expect(taken).toMatchObject({ leftOut: 0, uncovered: [] });
      const platform = rowsOf(texts.audit_vault).filter(
        (row) => row['chain_key'] === PLATFORM_CHAIN,
      );
      expect(platform.slice(-2)).toMatchObject([
        { entry_type: 'DUMP_TAKEN', record_id: null },
        { entry_type: 'ORG_READS_COVERED', record_id: null },
      ]);
    }));

  it('has the members of the specification, in their order', () =>
    rig.run(async (service) => {
      const { texts } = await dump(service);
      const membersOf = (text: string): string => Object.keys(rowsOf(text)[0] ?? {}).join(' ');
      expect(membersOf(texts.audit_vault)).toBe(
        'chain_key chain_position record_id entry_type signing_key_id previous_hash hash cose_sign1 oidc_iss oidc_sub created_at',
      );
      expect(membersOf(texts.vault_checkpoints)).toBe('log_index chain_key position cose_sign1');
      expect(membersOf(texts.vault_signing_keys)).toBe(
        'key_id algorithm cose_algorithm public_key status activated_at retired_at',
      );
      expect(membersOf(texts.vault_key_statements)).toBe(
        'key_id statement chain_position cose_sign1 created_at',
      );
      expect(membersOf(texts.org_admin_reads)).toBe(
        'org_id leaf_index signing_key_id leaf_hash cose_sign1 created_at',
      );
      expect(membersOf(texts.org_admin_reads_checkpoints)).toBe(
        'org_id tree_size root_hash signing_key_id cose_sign1 created_at',
      );
    }));

  it('says nothing without a trusted key, and nothing under a key that is not of this hub', () =>
    rig.run(async (service) => {
      const { texts } = await dump(service);
      expect(await verify(texts, trustOf({ kind: 'none' }))).toMatchObject({ exitCode: 2 });
      expect(await verify(texts, pin('ab'.repeat(32)))).toMatchObject({ exitCode: 2 });
    }));

  it(
    'is of one moment while two nodes write and a key rotates',
    () =>
      rig.run((one) =>
        rig.run(async (other) => {
          let isOver = false;
          const write = async (service: RunningService): Promise<void> => {
            while (!isOver) await note(service);
          };
          const read = async (service: RunningService): Promise<void> => {
            const admin = rig.at(service, rig.world.admin);
            while (!isOver) await ok(admin.get('/v1/records?limit=1'));
          };
          const writers = [write(one), read(one), write(other), read(other)];
          const rotated = ok(
            rig.at(other, rig.world.platform).post('/v1/admin/vault/signing-keys/rotate'),
          );
          const dumps = [];
          for (let count = 0; count < 4; count++) dumps.push(await dump(one));
          await rotated;
          isOver = true;
          await Promise.all(writers);
          for (const { texts } of dumps)
            expect(await verify(texts)).toMatchObject({
              verdict: 'valid',
              failures: [],
              reasons: [],
            });
          expect(dumps.at(-1)!.taken.entries).toBeGreaterThan(dumps[0]!.taken.entries);
        }),
      ),
    60_000,
  );

  it('keeps what no checkpoint covers where no round was taken, and that is exit code 2', () =>
    rig.run(async (service) => {
      await dump(service);
      await note(service);
      const { texts } = await dump(service, false);
      const report = await verify(texts);
      expect(report).toMatchObject({ verdict: 'cannot_tell', failures: [] });
      // The note, and DUMP_TAKEN.
      expect(report.reasons.join()).toContain('2 entries are newer');
      // The dump itself, in the log of each org.
      expect(report.reasons.join()).toContain('2 reads are newer');
      expect(report.checks.orgReads).toMatchObject({ result: 'skipped_no_input' });
    }));

  it('is a read of every org, sealed in its log before a row leaves', () =>
    rig.run(async (service) => {
      const { id: other } = await ok(
        rig.at(service, rig.world.platform).post('/v1/admin/orgs', { name: 'Another' }),
      );
      const { texts } = await dump(service);
      const leaves = rowsOf(texts.org_admin_reads);
      const dumped = rowsOf(texts.audit_vault).findLast(
        (row) => row['entry_type'] === 'DUMP_TAKEN',
      )!;
      const { predicate } = readEntry(bytesOf(dumped))!;
      for (const orgId of [rig.world.orgId, other]) {
        const last = leaves.findLast((row) => row['org_id'] === orgId)!;
        expect(readEntry(bytesOf(last))!.predicate).toMatchObject({
          entryType: 'ORG_READ',
          orgId,
          operation: 'dump',
          protocol: 'cli',
          actor: { kind: 'system' },
          requestId: predicate['requestId'],
        });
      }
    }));

  it('is refused where the log of an org cannot be written, and no file is', () =>
    rig.run(async (service) => {
      await rig.database.raw('ALTER TABLE org_admin_reads RENAME TO moved_away');
      const { write, texts } = dumpCollector();
      try {
        await expect(
          service.container.get(TakeDump).execute({ withRound: true, write }),
        ).rejects.toThrow();
      } finally {
        await rig.database.raw('ALTER TABLE moved_away RENAME TO org_admin_reads');
      }
      expect(texts).toThrow('was not written');
      expect(await verify((await dump(service)).texts)).toMatchObject({ verdict: 'valid' });
    }));

  it('holds the signature of a witness beside the checkpoint that it saw', () =>
    rig.run(async (service) => {
      const { publicKey, privateKey } = generateKeyPairSync('ed25519');
      const { witnessKeyId } = await ok(
        rig.at(service, rig.world.platform).post('/v1/admin/witnesses', {
          name: 'Auditors',
          publicKeyJwk: publicKey.export({ format: 'jwk' }),
        }),
      );
      await dump(service);
      const admin = rig.at(service, rig.world.admin);
      const path = '/v1/audit/org-reads/checkpoints';
      const [checkpoint] = (await ok(admin.get(path)))['data'] as Body[];
      const seen = cosignatureBytes(Buffer.from(String(checkpoint!['coseSign1']), 'base64'));
      const signature = sign(null, seen, privateKey).toString('base64');
      await ok(
        admin.post(`${path}/${String(checkpoint!['id'])}/cosign`, { witnessKeyId, signature }),
      );
      const { texts } = await dump(service);
      expect(rowsOf(texts.org_admin_reads_checkpoints)).toContainEqual(
        expect.objectContaining({
          tree_size: checkpoint!['treeSize'],
          witness_key_id: witnessKeyId,
          witness_signature: signature,
        }),
      );
      expect(await verify(texts)).toMatchObject({ verdict: 'valid', failures: [], reasons: [] });
    }));

  it('is the same verdict where only a few checkpoints fit into the memory', () =>
    rig.run(async (service) => {
      for (let count = 0; count < 30; count++) await note(service);
      const { texts } = await dump(service);
      const options = { trust: pin(fingerprints[0]!), window: 5 };
      expect(await verifyDump(sourceOf(texts), options)).toMatchObject({ verdict: 'valid' });
      const gone = rowsOf(texts.vault_checkpoints).find((row) => row['log_index'] === 3)!;
      const rows = rowsOf(texts.audit_vault).filter(
        (row) => row['chain_key'] !== gone['chain_key'],
      );
      const cut = { ...texts, audit_vault: rows.map((row) => `${JSON.stringify(row)}\n`).join('') };
      const report = await verifyDump(sourceOf(cut), options);
      expect(report.failures.map((failure) => failure.class)).toContain('CHECKPOINT_CHAIN_MISSING');
    }));

  it.each([
    [
      'the newest leaves are gone',
      (id: string) => `DELETE FROM org_admin_reads WHERE org_id = ${id} AND leaf_index > 0`,
    ],
    [
      'a leaf was changed',
      (id: string) =>
        `UPDATE org_admin_reads SET cose_sign1 = (SELECT first.cose_sign1 FROM (SELECT * FROM org_admin_reads) AS first WHERE first.org_id = ${id} AND first.leaf_index = 0) WHERE org_id = ${id} AND leaf_index > 0`,
    ],
    [
      'its checkpoints were changed',
      (id: string) =>
        `UPDATE org_admin_reads_checkpoints SET cose_sign1 = x'00' WHERE org_id = ${id}`,
    ],
  ])(
    'is taken where the log of one org was changed, seals that this org was read, and shows the change to a verifier: %s',
    async (_name, edit) => {
      const other = new VaultRig(kind, { CHECKPOINT_INTERVAL: '1440' });
      await other.prepare();
      try {
        await other.run(async (service) => {
          const platform = other.at(service, other.world.platform);
          await ok(platform.post('/v1/admin/orgs', { name: 'Another' }));
          await dump(service);
          await dump(service);
        });
        const orgId = other.world.orgId;
        for (const name of ['org_admin_reads', 'org_admin_reads_checkpoints'])
          for (const event of ['update', 'delete'])
            await other.database.raw(`DROP TRIGGER IF EXISTS ${name}_no_${event}`);
        await other.database.raw('DROP TRIGGER IF EXISTS org_admin_reads_by_active_key');
        await other.database.raw(edit(literal(uuidToSql(orgId))));
        await other.run(async (service) => {
          // After a rotation too, which cannot cover that log.
          for (const isRotated of [false, true]) {
            if (isRotated)
              await ok(
                other.at(service, other.world.platform).post('/v1/admin/vault/signing-keys/rotate'),
              );
            const { texts, taken } = await dump(service);
            expect(taken.unlogged).toEqual([orgId]);
            const platform = rowsOf(texts.audit_vault).filter(
              (row) => row['entry_type'] === 'DUMP_TAKEN',
            );
            expect(readEntry(bytesOf(platform.at(-1)!))!.predicate).toMatchObject({
              unlogged: [orgId],
            });
            const report = await verify(texts, pin(service.vault.fingerprint));
            expect(report).toMatchObject({ verdict: 'invalid' });
            for (const failure of report.failures) {
              expect(failure.class).toMatch(/^TENANT_/);
              expect(JSON.stringify(failure)).toContain(orgId);
            }
          }
        });
      } finally {
        await other.end();
      }
    },
  );

  it('is not older than a root that it had to have', () =>
    rig.run(async (service) => {
      const older = await dump(service);
      await note(service);
      const newer = await dump(service);
      const trust = pin(fingerprints[0]!);
      const expectRoot = newer.taken.log!.root;
      expect(await verifyDump(sourceOf(newer.texts), { trust, expectRoot })).toMatchObject({
        verdict: 'valid',
      });
      const past = older.taken.log!.root;
      expect(await verifyDump(sourceOf(newer.texts), { trust, expectRoot: past })).toMatchObject({
        verdict: 'valid',
      });
      expect(await verifyDump(sourceOf(older.texts), { trust, expectRoot })).toMatchObject({
        verdict: 'invalid',
        failures: [{ class: 'CHECKPOINT_ROOT_MISMATCH' }],
      });
    }));
});
