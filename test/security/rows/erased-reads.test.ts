import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CheckReadsLogs } from '../../../application/transparency/check-reads-logs.ts';
import { OrgReadsRound } from '../../../application/transparency/org-reads-round.ts';
import { TakeDump } from '../../../application/vault/take-dump.ts';
import type { RunningService } from '../../../config/service.ts';
import { verifyDump } from '../../../domain/verification/dump/verify-dump.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { dumpCollector, sourceOf } from '../../support/attackers/dump-files.ts';
import { quickDatabases } from '../../support/databases/databases.ts';
import { reasonsOf } from '../../support/service/health.ts';
import { scanHere } from '../../support/service/scan-here.ts';
import { VaultRig } from '../../support/service/vault-rig.ts';
import { ok } from '../../support/service/world.ts';

// Whoever writes the database, and holds no key, erases what an administrator read.

const TABLES = ['org_admin_reads', 'org_admin_reads_checkpoints', 'org_reads_cosignatures'];

describe.each(quickDatabases())('a log of reads that somebody cuts, on $name', (kind) => {
  let rig: VaultRig;
  beforeEach(async () => {
    rig = new VaultRig(kind, {
      CHECKPOINT_INTERVAL: '1440',
      CHECKPOINT_ORG_READS_INTERVAL: '1440',
    });
    await rig.prepare();
    for (const table of TABLES)
      for (const event of ['update', 'delete'])
        await rig.database.raw(`DROP TRIGGER ${table}_no_${event}`);
    await rig.database.raw('DROP TRIGGER log_nodes_no_delete');
    await rig.run(async (service) => {
      await read(service, 5);
      await service.container.get(OrgReadsRound).run();
      await read(service, 5);
      await service.container.get(OrgReadsRound).run();
    });
  });
  afterEach(() => rig.end());

  const read = async (service: RunningService, times = 1): Promise<void> => {
    for (let n = 0; n < times; n++)
      await ok(rig.at(service, rig.world.admin).get('/v1/records?limit=1'));
  };

  const hexOrg = (): string => `x'${rig.world.orgId.replaceAll('-', '')}'`;
  /** All of it, or everything after this many leaves. */
  const cut = async (kept: number): Promise<void> => {
    const org = hexOrg();
    await rig.database.raw(
      `DELETE FROM org_reads_cosignatures WHERE checkpoint_id IN (SELECT id FROM org_admin_reads_checkpoints WHERE org_id = ${org} AND tree_size > ${kept})`,
    );
    await rig.database.raw(
      `DELETE FROM org_admin_reads_checkpoints WHERE org_id = ${org} AND tree_size > ${kept}`,
    );
    await rig.database.raw(
      `DELETE FROM org_admin_reads WHERE org_id = ${org} AND leaf_index >= ${kept}`,
    );
    if (kept === 0)
      await rig.database.raw(
        `DELETE FROM log_nodes WHERE log_key = 'org-reads:${rig.world.orgId}'`,
      );
  };

  it.each([
    ['the whole log, with its checkpoints and nodes', 0],
    ['what the newest checkpoint covers', 5],
    ['the newest leaf', 9],
  ])(
    '%s: the start says so, nothing is read or covered, scan and dump find it',
    async (_what, kept) => {
      await cut(kept);
      await rig.run(async (service) => {
        expect(await reasonsOf(service)).toContain('row_tampered');
        expect(await service.container.get(CheckReadsLogs).execute()).toEqual([
          { orgId: rig.world.orgId, leaves: kept, covered: 10 },
        ]);
        const refused = await rig.at(service, rig.world.admin).get('/v1/records?limit=1');
        expect([refused.status, refused.body['reason']]).toEqual([409, 'log_broken']);
        expect((await service.container.get(OrgReadsRound).run()).covered).toBe(0);
        expect((await scanHere(service)).brokenRecords).toMatchObject([
          { class: 'TENANT_CHECKPOINT_SIZE_MISMATCH', position: 10 },
        ]);
        const { write, texts } = dumpCollector();
        await service.container.get(TakeDump).execute({ withRound: true, write });
        const trust = trustOf({ kind: 'fingerprint', sha256Hex: service.vault.fingerprint });
        const report = await verifyDump(sourceOf(texts()), { trust });
        expect(report.verdict).toBe('invalid');
        expect(report.failures.map((failure) => failure.class)).toContain(
          'TENANT_CHECKPOINT_SIZE_MISMATCH',
        );
      });
    },
  );

  it('a whole one: the start is quiet, and dump and scan are clean', () =>
    rig.run(async (service) => {
      expect(await service.container.get(CheckReadsLogs).execute()).toEqual([]);
      await read(service);
      expect(await scanHere(service)).toMatchObject({ broken: 0 });
    }));
});
