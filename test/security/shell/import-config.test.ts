import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ImportOutcome } from '../../../adapters/cli/import-config.ts';
import { CheckpointRound } from '../../../application/vault/checkpoint-round.ts';
import { Vault } from '../../../application/sealing/vault.ts';
import { importConfig } from '../../../config/import-config.ts';
import type { RunningService } from '../../../config/service.ts';
import { loadSettings } from '../../../config/settings.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { sealEntry, type ChainEntry } from '../../../domain/vault/chain.ts';
import { PLATFORM_CHAIN, schemaChain } from '../../../domain/vault/chain-key.ts';
import { schemaStatement, type SchemaEventPredicate } from '../../../domain/vault/statement.ts';
import { quickDatabases } from '../../support/databases/databases.ts';
import { SILENT } from '../../support/service/sick-notary.ts';
import { freshSecrets } from '../../support/databases/stored-chains.ts';
import { literal, VaultRig } from '../../support/service/vault-rig.ts';
import { ok, type Body } from '../../support/service/world.ts';

/**
 * Whoever writes the database of a notary takes a disabled record type, or an agent that left, back into use: not there,
 * where nothing is built on such chains, but in the vault that is made anew of it and seals what it reads as its own.
 */
describe.each(quickDatabases())('a source that was prepared for import-config on $name', (kind) => {
  let rig: VaultRig;
  let folder: string;
  let chain: string;
  beforeEach(async () => {
    rig = new VaultRig(kind, { CHECKPOINT_INTERVAL: '1440', ANCHOR: 'none' });
    await rig.prepare();
    await rig.database.raw('DROP TRIGGER IF EXISTS chain_entries_by_active_key');
    folder = mkdtempSync(join(tmpdir(), 'notary-import-'));
    chain = schemaChain(rig.world.orgId);
  });
  afterEach(async () => {
    await rig.end();
    rmSync(folder, { recursive: true, force: true });
  });

  const secrets = freshSecrets();
  const file = (): string => join(folder, 'new.sqlite');
  const imported = (): Promise<ImportOutcome> =>
    importConfig(
      loadSettings(
        {
          NODE_ENV: 'test',
          DATABASE_URL: `sqlite://${file()}`,
          DATA_DIR: join(folder, 'data'),
          KEYS_DIR: join(folder, 'keys'),
          ...secrets,
          SECRETS_KEY: rig.secrets.SECRETS_KEY,
        },
        { cwd: folder },
      ).settings,
      SILENT,
      { from: rig.database.url, isDryRun: false },
      () => undefined,
    );
  /** What the new vault holds. */
  const types = (): readonly string[] => {
    const made = new DatabaseSync(file());
    try {
      const rows = made.prepare('SELECT type, status FROM record_types ORDER BY type').all();
      return rows.map((row) => `${String(row['type'])} ${String(row['status'])}`);
    } finally {
      made.close();
    }
  };
  const codes = ({ findings }: ImportOutcome): readonly string[] =>
    findings.map(({ code, subject }) => `${code} ${subject}`);

  const disable = (service: RunningService): Promise<Body> =>
    ok(rig.at(service, rig.world.admin).patch('/v1/schemas/job', { status: 'disabled' }));
  const rotate = (service: RunningService): Promise<Body> =>
    ok(
      rig
        .at(service, rig.world.platform)
        .post('/v1/admin/vault/signing-keys/rotate', { reason: 'compromised' }),
    );
  const entriesOf = (service: RunningService, chainKey: string): Promise<readonly ChainEntry[]> =>
    service.container.get(TOKENS.chainReads).entries(chainKey, 1, 500);
  /** From this entry on, with the row of the head set back to fit. */
  const cut = async (entries: readonly ChainEntry[], from: number): Promise<void> => {
    const { chainKey, hash, at } = entries[from - 2]!;
    await rig.database.raw(
      `DELETE FROM chain_entries WHERE chain_key = '${chainKey}' AND position >= ${from}`,
    );
    await rig.database.raw(
      `UPDATE chain_heads SET position = ${from - 1}, hash = ${literal(hash)}, at = ${Date.parse(at)} WHERE chain_key = '${chainKey}'`,
    );
  };

  it('does not bring a disabled record type back by a schema chain that was cut', async () => {
    const entries = await rig.run(async (service) => {
      await disable(service);
      await service.container.get(CheckpointRound).run();
      return entriesOf(service, chain);
    });
    await cut(entries, entries.length);
    await rig.database.raw(`UPDATE record_types SET status = 'active' WHERE type = 'job'`);
    expect(codes(await imported())).toContain('chain-broken every record type of acme');
    expect(types()).toEqual([]);
    // A loss that the platform acknowledged is no reason any more.
    await rig.run(async (service) => {
      const [admin, platform] = [rig.world.admin, rig.world.platform].map((one) =>
        rig.at(service, one),
      );
      const refused = await admin!.patch('/v1/schemas/note', { status: 'disabled' });
      expect(refused.body).toMatchObject({ code: 'CHAIN_REWIND_DETECTED' });
      const open = async (): Promise<number> =>
        ((await ok(platform!.get('/v1/admin/vault/rewind')))['data'] as Body[]).length;
      await expect.poll(open).toBe(1);
      await ok(platform!.post('/v1/admin/vault/rewind/acknowledge', { reason: 'a disk failed' }));
    });
    expect(codes(await imported())).toEqual([]);
    expect(types()).toEqual(['auto-job active', 'job active', 'note active']);
  });

  it('does not bring an agent that left back by a platform chain that was cut', async () => {
    const entries = await rig.run(async (service) => {
      const { admin, performer } = rig.world;
      await ok(
        rig.at(service, admin).post(`/v1/admin/agents/${performer.id}/deactivate`, {
          reason: 'left',
        }),
      );
      await service.container.get(CheckpointRound).run();
      return entriesOf(service, PLATFORM_CHAIN);
    });
    const left = entries.find(({ entryType }) => entryType === 'AGENT_DEACTIVATED');
    await cut(entries, left!.position);
    await expect(imported()).rejects.toThrow(/the platform chain of the source does not hold/);
  });

  it('does not carry over what a key signed after it was retired as compromised', async () => {
    await rig.run(async (service) => {
      const { seal: stolen, hub } = service.container.get(Vault);
      await disable(service);
      await rotate(service);
      const [head, row] = [
        (await entriesOf(service, chain)).at(-1)!,
        (await rig.database.raw(`SELECT manifest_digest FROM record_types WHERE type = 'job'`))[0]!,
      ];
      const at = new Date(Date.parse(head.at) + 1).toISOString();
      const { orgId } = rig.world;
      const said: SchemaEventPredicate = {
        entryType: 'SCHEMA_STATUS_CHANGED',
        at,
        requestId: '0190a000-0000-7000-8000-00000000ffff',
        actor: { kind: 'system' },
        orgId,
        publisher: 'acme',
        type: 'job',
        version: 1,
        manifestDigest: Buffer.from(row['manifest_digest'] as Uint8Array).toString('hex'),
        status: 'active',
      };
      const { position, previousHash, hash, coseSign1, signingKeyId } = await sealEntry(
        stolen,
        chain,
        head,
        schemaStatement(hub.predicateBase, said),
        { entryType: said.entryType, recordId: null, orgId, at, oidcIss: null, oidcSub: null },
      );
      await rig.database.raw(
        `INSERT INTO chain_entries (chain_key, position, entry_type, org_id, signing_key_id, previous_hash, hash, cose_sign1, at) VALUES ('${chain}', ${position}, '${said.entryType}', X'${orgId.replaceAll('-', '')}', '${signingKeyId}', ${literal(previousHash)}, ${literal(hash)}, ${literal(coseSign1)}, ${Date.parse(at)})`,
      );
      await rig.database.raw(
        `UPDATE chain_heads SET position = ${position}, hash = ${literal(hash)}, at = ${Date.parse(at)} WHERE chain_key = '${chain}'`,
      );
    });
    expect(codes(await imported())).toContain('chain-broken every record type of acme');
    expect(types()).toEqual([]);
  });

  it.runIf(kind.name === 'sqlite')(
    'takes no row for one of a record type that has no id',
    async () => {
      await rig.database.raw(`UPDATE record_types SET id = X'AABBCC' WHERE type = 'note'`);
      expect(codes(await imported())).toEqual(['unusable acme/note version 1 of acme']);
      expect(types()).toEqual(['auto-job active', 'job active']);
    },
  );

  it('takes what a retired key signed before', async () => {
    await rig.run(async (service) => {
      await disable(service);
      await rotate(service);
    });
    expect(codes(await imported())).toEqual([]);
    expect(types()).toEqual(['auto-job active', 'job disabled', 'note active']);
  });
});
