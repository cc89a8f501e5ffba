import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AnchorSweep } from '../../application/vault/anchor-sweep.ts';
import { CheckpointRound } from '../../application/vault/checkpoint-round.ts';
import { TakeDump } from '../../application/vault/take-dump.ts';
import type { RunningService } from '../../config/service.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import { verifyDump } from '../../domain/verification/dump/verify-dump.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../domain/verification/verify-file.ts';
import type { VerificationReport } from '../../domain/verification/report/report.ts';
import { copyOf, type DatabaseCopy } from '../support/databases/database-copy.ts';
import { quickDatabases } from '../support/databases/databases.ts';
import {
  dumpCollector,
  rowsOf,
  sourceOf,
  textOf,
  type DumpTexts,
} from '../support/attackers/dump-files.ts';
import { scanHere } from '../support/service/scan-here.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { ok, type Body } from '../support/service/world.ts';

const FEW_ROUNDS = { CHECKPOINT_INTERVAL: '1440', ANCHOR_INTERVAL: '2880' };
const REASON = 'the disk of the database failed';

describe.each(quickDatabases())('what verifiers say of an acknowledged rewind on $name', (kind) => {
  let rig: VaultRig;
  let copy: DatabaseCopy | null = null;

  beforeEach(async () => {
    rig = new VaultRig(kind, FEW_ROUNDS);
    await rig.prepare();
  });
  afterEach(async () => {
    await copy?.drop();
    copy = null;
    await rig.end();
  });

  const client = (service: RunningService) => rig.at(service, rig.world.principal.client);
  const platform = (service: RunningService) => rig.at(service, rig.world.platform);
  const note = (service: RunningService): Promise<Body> =>
    ok(client(service).post('/v1/records', { type: 'note', criteria: { text: 'a note' } }));
  const refer = (service: RunningService, id: string, n: number): Promise<Body> =>
    ok(
      client(service).post(`/v1/records/${id}/references`, {
        kind: 'ticket',
        uri: `https://example.org/${n}`,
      }),
    );
  const anchor = async (service: RunningService): Promise<void> => {
    await service.container.get(CheckpointRound).run();
    await service.container.get(AnchorSweep).run();
  };
  const acknowledge = (service: RunningService): Promise<Body> =>
    ok(platform(service).post('/v1/admin/vault/rewind/acknowledge', { reason: REASON }));
  const exported = (service: RunningService, id: string, query = ''): Promise<Body> =>
    ok(client(service).get(`/v1/records/${id}/audit-export${query}`));
  const trust = (service: RunningService) =>
    trustOf({ kind: 'fingerprint', sha256Hex: service.vault.fingerprint });
  const verify = (
    service: RunningService,
    file: string,
    ...kept: readonly string[]
  ): Promise<VerificationReport> => verifyFile(file, { trust: trust(service), kept });
  const dump = async (service: RunningService): Promise<DumpTexts> => {
    const { write, texts } = dumpCollector();
    await service.container.get(TakeDump).execute({ withRound: true, write });
    return texts();
  };
  const lossesIn = ({ losses }: VerificationReport) =>
    losses.map(({ chainKey, lostRange, reason }) => ({ chainKey, lostRange, reason }));

  /** A backup is restored that misses an entry of a record, and the loss acknowledged. */
  const rewind = async (): Promise<{ id: string; lost: Body; lostHead: string }> => {
    const id = await rig.run(async (service) => String((await note(service))['id']));
    copy = await copyOf(rig.database, rig.directory);
    const lost = await rig.run(async (service) => {
      const made = await refer(service, id, 1);
      await anchor(service);
      return made;
    });
    rig.env = { ...FEW_ROUNDS, DATABASE_URL: copy.url };
    const statement = lost['signedStatement'] as Body;
    return { id, lost: statement, lostHead: String(statement['hash']) };
  };

  it('an export says which range of its record is gone, in every form, and a statement that was kept of it is no proof of a lie', async () => {
    const { id, lost, lostHead } = await rewind();
    await rig.run(async (service) => {
      await acknowledge(service);
      await refer(service, id, 2);
      const file = await exported(service, id);
      expect(file['acknowledgements']).toHaveLength(1);
      const report = await verify(service, JSON.stringify(file));
      expect(report).toMatchObject({ verdict: 'valid', failures: [] });
      expect(report.losses).toEqual([
        {
          chainKey: id,
          lostRange: { from: 2, to: 2 },
          lostHead,
          checkpoint: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
          reason: REASON,
          acknowledgedIn: file['acknowledgements'][0].position as number,
          acknowledgedAt: expect.any(String) as string,
        },
      ]);
      expect(report.notes.join()).toContain(`entry 2 of the chain ${id} was lost in a rewind`);

      const held = await verify(service, JSON.stringify(file), JSON.stringify(lost));
      expect(held).toMatchObject({
        verdict: 'valid',
        exitCode: 2,
        kept: [{ result: 'skipped_no_input' }],
      });
      expect(held.kept[0]!.detail).toContain('acknowledged');
      const without = { ...file, acknowledgements: [] };
      expect(await verify(service, JSON.stringify(without), JSON.stringify(lost))).toMatchObject({
        verdict: 'invalid',
        kept: [{ result: 'failed' }],
      });

      const { url, key } = client(service);
      const answer = await fetch(`${url}/v1/records/${id}/audit-export?format=ndjson`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const lines = await answer.text();
      expect(lines).toContain('\n{"kind":"acknowledgement","position":');
      expect(lossesIn(await verify(service, lines))).toEqual(lossesIn(report));
      const tree = await exported(service, id, '?subtree=true');
      expect(lossesIn(await verify(service, JSON.stringify(tree)))).toEqual(lossesIn(report));
      const { id: other } = await note(service);
      expect((await exported(service, String(other)))['acknowledgements']).toEqual([]);
    });
  });

  it('an export is INVALID with an acknowledgement that was changed, or that is about another record', async () => {
    const { id } = await rewind();
    const changes: readonly [(rows: Body[]) => void, string][] = [
      [(rows) => rows.push(rows[0]!), 'CHAIN_POSITION_GAP'],
      [(rows) => rows[0]!['position']++, 'CHAIN_COSE_HEADER_MISMATCH'],
      [
        (rows) => (rows[0]!['coseSign1'] = flipped(String(rows[0]!['coseSign1']))),
        'CHAIN_SIGNATURE_INVALID',
      ],
      [
        (rows) => (rows[0]!['coseSign1'] = Buffer.from('a note').toString('base64')),
        'CHAIN_COSE_DECODE_FAILED',
      ],
    ];
    await rig.run(async (service) => {
      await acknowledge(service);
      const file = await exported(service, id);
      const classes = async (changed: Body): Promise<readonly string[]> =>
        (await verify(service, JSON.stringify(changed))).failures.map((one) => one.class);
      for (const [change, failure] of changes) {
        const changed = structuredClone(file);
        change(changed['acknowledgements'] as Body[]);
        expect(await classes(changed)).toEqual([failure]);
      }
      const other = await exported(service, String((await note(service))['id']));
      const { acknowledgements } = file;
      expect(await classes({ ...other, acknowledgements })).toEqual([
        'CHAIN_PAYLOAD_BINDING_MISMATCH',
      ]);
    });
  });

  it("one by a key that was retired is the operator's word in an export, and a dump settles it", async () => {
    const { id } = await rewind();
    await rig.run(async (service) => {
      await acknowledge(service);
      await ok(platform(service).post('/v1/admin/vault/signing-keys/rotate'));
      const report = await verify(service, JSON.stringify(await exported(service, id)));
      expect(report).toMatchObject({ verdict: 'cannot_tell', exitCode: 2, failures: [] });
      expect(report.reasons.join()).toMatch(
        new RegExp(`the operator's word that entry 2 of the chain ${id}`),
      );
      const whole = await verifyDump(sourceOf(await dump(service)), { trust: trust(service) });
      expect(whole).toMatchObject({ verdict: 'valid', failures: [] });
      expect(lossesIn(whole)).toEqual([
        { chainKey: id, lostRange: { from: 2, to: 2 }, reason: REASON },
      ]);
    });
  });

  it('a dump is VALID and names each range, also where the checkpoints of the lost entries are still there', async () => {
    const [id, gone] = await rig.run(async (service) => {
      const made = String((await note(service))['id']);
      await refer(service, made, 1);
      const other = String((await note(service))['id']);
      await service.container.get(CheckpointRound).run();
      return [made, other];
    });
    await rig.database.raw(`DELETE FROM chain_entries WHERE chain_key = '${id}' AND position = 2`);
    await rig.database.raw(
      `UPDATE chain_heads SET position = 1, hash = (SELECT hash FROM chain_entries WHERE chain_key = '${id}'), at = (SELECT at FROM chain_entries WHERE chain_key = '${id}') WHERE chain_key = '${id}'`,
    );
    await rig.database.raw('DELETE FROM record_references');
    await rig.database.raw('UPDATE records SET reference_count = 0, updated_at = created_at');
    for (const table of ['chain_entries', 'chain_heads'])
      await rig.database.raw(`DELETE FROM ${table} WHERE chain_key = '${gone}'`);
    await rig.run(async (service) => {
      await service.container.get(AnchorSweep).run();
      const before = await verifyDump(sourceOf(await dump(service)), { trust: trust(service) });
      expect(before.failures.map((one) => one.class)).toEqual(
        expect.arrayContaining(['CHECKPOINT_HEAD_MISMATCH', 'CHECKPOINT_CHAIN_MISSING']),
      );
      expect((await scanHere(service)).brokenRecords.map((one) => one.class)).toEqual(
        expect.arrayContaining(['CHECKPOINT_HEAD_MISMATCH', 'CHECKPOINT_CHAIN_MISSING']),
      );
      expect(await acknowledge(service)).toMatchObject({ acknowledged: 2 });
      await refer(service, id, 2);
      const texts = await dump(service);
      // The row of the lost record is still there: no acknowledgement makes it a record with a chain.
      expect((await scanHere(service)).brokenRecords).toMatchObject([
        { recordId: gone, detail: 'the record has no chain' },
      ]);
      const report = await verifyDump(sourceOf(texts), { trust: trust(service) });
      expect(report).toMatchObject({ verdict: 'valid', failures: [] });
      expect(new Set(lossesIn(report))).toEqual(
        new Set([
          { chainKey: id, lostRange: { from: 2, to: 2 }, reason: REASON },
          { chainKey: gone, lostRange: { from: 1, to: 1 }, reason: REASON },
        ]),
      );
      // Not by leaving out what says so.
      const rows = rowsOf(texts.audit_vault);
      const without = rows.filter((row) => row['entry_type'] !== 'REWIND_ACKNOWLEDGED');
      expect(rows.filter((row) => row['chain_key'] === PLATFORM_CHAIN).length).toBeGreaterThan(3);
      expect(
        await verifyDump(sourceOf({ ...texts, audit_vault: textOf(without) }), {
          trust: trust(service),
        }),
      ).toMatchObject({ verdict: 'invalid' });
    });
  });
});

/** With another last byte: of the signature. */
const flipped = (base64: string): string => {
  const bytes = Buffer.from(base64, 'base64');
  bytes[bytes.length - 1]! ^= 1;
  return bytes.toString('base64');
};
