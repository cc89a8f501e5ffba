import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runVerify } from '../../adapters/cli/verify.ts';
import { Rfc3161Checker } from '../../adapters/tsa/rfc3161-checker.ts';
import { CheckpointRound } from '../../application/vault/checkpoint-round.ts';
import { StampRounds } from '../../application/vault/stamp-rounds.ts';
import { TakeDump } from '../../application/vault/take-dump.ts';
import type { RunningService } from '../../config/service.ts';
import { TOKENS } from '../../config/tokens.ts';
import { decodeBase64Strict, encodeBase64 } from '../../domain/kernel/base64.ts';
import { sha256 } from '../../domain/kernel/digest.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import { verifyDump } from '../../domain/verification/dump/verify-dump.ts';
import type { VerificationReport } from '../../domain/verification/report/report.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../domain/verification/formats/verify-audit-export.ts';
import { verifyFile } from '../../domain/verification/verify-file.ts';
import { databases } from '../support/databases/databases.ts';
import {
  dumpCollector,
  rowsOf,
  sourceOf,
  textOf,
  type DumpTexts,
} from '../support/attackers/dump-files.ts';
import { OpensslTsa, sendReply } from '../support/peers/openssl-tsa.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { ok, type Body } from '../support/service/world.ts';

/** The imprint of RFC 9921, 3161-ctt, made by hand: the signature is the last 64 bytes, behind its head 58 40. */
const imprintOf = (coseSign1: Uint8Array): Uint8Array => {
  const signature = coseSign1.subarray(-66);
  expect([...signature.subarray(0, 2)]).toEqual([0x58, 0x40]);
  return sha256(signature);
};

const bytesIn = (base64: unknown): Uint8Array => decodeBase64Strict(String(base64))!;

describe.each(databases())('time stamps of rounds on $name', (kind) => {
  const tsa = new OpensslTsa();
  const other = new OpensslTsa({ name: 'Other' });
  const rig = new VaultRig(kind, { CHECKPOINT_INTERVAL: '1440' });
  const folder = mkdtempSync(join(tmpdir(), 'notary-stamps-'));

  beforeAll(async () => {
    // Without the setting nobody is asked.
    await rig.prepare();
    rig.env = { ...rig.env, TSA_URL: await tsa.serve() };
  });
  afterEach(() => {
    tsa.misbehaves = null;
  });
  afterAll(async () => {
    await rig.end();
    await tsa.end();
    await other.end();
    rmSync(folder, { recursive: true, force: true });
  });

  const note = (service: RunningService): Promise<Body> =>
    ok(
      rig.at(service, rig.world.principal.client).post('/v1/records', {
        type: 'note',
        criteria: { text: 'a note' },
      }),
    );
  const round = (service: RunningService) => service.container.get(CheckpointRound).run();
  const stamp = (service: RunningService): Promise<number> =>
    service.container.get(StampRounds).run();
  const exported = async (service: RunningService, id: string): Promise<Body> =>
    ok(rig.at(service, rig.world.platform).get(`/v1/records/${id}/audit-export`));
  /** A record in a round that has its time stamp. */
  const stamped = async (service: RunningService): Promise<Body> => {
    const { id } = await note(service);
    await exported(service, id);
    await round(service);
    await stamp(service);
    return exported(service, id);
  };
  const trustIn = (service: RunningService) =>
    trustOf({ kind: 'fingerprint', sha256Hex: service.vault.fingerprint });
  const verified = async (
    service: RunningService,
    document: Body,
    roots: string | null = tsa.root,
  ): Promise<VerificationReport> =>
    verifyAuditExport(JSON.stringify(document), {
      trust: trustIn(service),
      timestamps: roots === null ? null : await Rfc3161Checker.under(roots),
    });
  const classesOf = ({ failures }: VerificationReport): string[] =>
    failures.map((failure) => failure.class);

  it('stand in exports, where openssl takes them over the imprint that was made by hand', () =>
    rig.run(async (service) => {
      const document = await stamped(service);
      const token = bytesIn(document.log.timestampToken);
      expect(tsa.verifies(token, imprintOf(bytesIn(document.log.coseSign1)))).toBe(true);

      const report = await verified(service, document);
      expect(report).toMatchObject({
        verdict: 'valid',
        checks: { timeStamps: { result: 'passed', count: 1 } },
      });
      expect(report.notes.join()).toMatch(
        /existed before 20\d\d-.*Z, says O=Notary test, CN=Test Time Stamps/,
      );
      expect(await verified(service, document, null)).toMatchObject({
        verdict: 'valid',
        checks: { timeStamps: { result: 'skipped_no_input', count: 1 } },
      });
      // In every form of the export.
      const platform = rig.at(service, rig.world.platform);
      const lines = await fetch(
        `${platform.url}/v1/records/${document.record.id}/audit-export?format=ndjson`,
        { headers: { authorization: `Bearer ${platform.key}` } },
      );
      expect(
        await verifyFile(await lines.text(), {
          trust: trustIn(service),
          timestamps: await Rfc3161Checker.under(tsa.root),
        }),
      ).toMatchObject({ verdict: 'valid', checks: { timeStamps: { result: 'passed' } } });
    }));

  it('that are none of their round make an export invalid, in the class of what is wrong', () =>
    rig.run(async (service) => {
      const document = await stamped(service);
      const first = await stamped(service);
      const swapped = (timestampToken: string): Body => ({
        ...document,
        log: { ...document.log, timestampToken },
      });
      const imprint = imprintOf(bytesIn(document.log.coseSign1));
      const changed = bytesIn(document.log.timestampToken);
      changed[changed.length - 1]! ^= 1;
      const cases: [Body, string][] = [
        [swapped(first.log.timestampToken), 'CHECKPOINT_ROOT_MISMATCH'],
        [swapped(encodeBase64(tsa.token(sha256(imprint)))), 'CHECKPOINT_ROOT_MISMATCH'],
        [swapped(encodeBase64(other.token(imprint))), 'CHECKPOINT_SIGNATURE_INVALID'],
        [swapped(encodeBase64(changed)), 'CHECKPOINT_SIGNATURE_INVALID'],
        [swapped(''), 'CHECKPOINT_SIGNATURE_INVALID'],
        [swapped('no base64'), 'CHECKPOINT_DECODE_FAILED'],
      ];
      for (const [edited, failureClass] of cases) {
        const report = await verified(service, edited);
        expect(report.verdict).toBe('invalid');
        expect(classesOf(report)).toEqual([failureClass]);
      }
      const both = `${tsa.root}${other.root}`;
      expect(
        await verified(service, swapped(encodeBase64(other.token(imprint))), both),
      ).toMatchObject({ verdict: 'valid' });
    }));

  it('that a TSA fails to give fail no round; the newest one gets its own when it is there again, also after a start', async () => {
    const { id } = await rig.run(async (service) => {
      const record = await note(service);
      await exported(service, record.id);
      tsa.misbehaves = (_query, response) => response.writeHead(500).end();
      expect(await round(service)).toMatchObject({ uncovered: [] });
      await expect(stamp(service)).rejects.toThrow(/500 instead of 200/);
      expect(await service.container.get(StampRounds).isNeeded()).toBe(false);
      const report = await verified(service, await exported(service, record.id));
      expect(report).toMatchObject({
        verdict: 'valid',
        checks: { timeStamps: { result: 'skipped_no_input', count: 0 } },
      });
      // Another round is tried at once.
      await round(service);
      expect(await service.container.get(StampRounds).isNeeded()).toBe(true);
      // What fits no more than another imprint is not kept either.
      tsa.misbehaves = (_query, response) =>
        sendReply(response, tsa.reply(Buffer.from('no question')));
      await expect(stamp(service)).rejects.toThrow(/refuses/);
      expect(
        await service.container.get(TOKENS.timestampReads).missing(PLATFORM_CHAIN, 8),
      ).toHaveLength(2);
      return record;
    });
    tsa.misbehaves = null;
    await rig.run(async (service) => {
      // By the job itself.
      await expect
        .poll(async () => (await exported(service, id)).log.timestampToken as unknown)
        .toBeDefined();
      expect(
        await service.container.get(TOKENS.timestampReads).missing(PLATFORM_CHAIN, 8),
      ).toHaveLength(0);
      expect(await verified(service, await exported(service, id))).toMatchObject({
        verdict: 'valid',
        checks: { timeStamps: { result: 'passed' } },
      });
    });
  });

  it('are on the rounds of both keys across a rotation, and in a dump of them', () =>
    rig.run(async (service) => {
      await stamped(service);
      const trust = trustIn(service);
      await ok(rig.at(service, rig.world.platform).post('/v1/admin/vault/signing-keys/rotate'));
      const { write, texts } = dumpCollector();
      await service.container.get(TakeDump).execute({ withRound: true, write });
      const dump = texts();
      const rows = rowsOf(dump.vault_checkpoints);
      const tokens = rows.filter((row) => 'timestamp_token' in row);
      expect(tokens.length).toBeGreaterThan(3);
      expect(rows.at(-1)).toHaveProperty('timestamp_token');

      const verify = async (edited: DumpTexts, roots: string | null = tsa.root) =>
        verifyDump(sourceOf(edited), {
          trust,
          timestamps: roots === null ? null : await Rfc3161Checker.under(roots),
        });
      const withToken = (from: string): DumpTexts => ({
        ...dump,
        vault_checkpoints: textOf(rows.with(-1, { ...rows.at(-1)!, timestamp_token: from })),
      });
      const report = await verify(dump);
      expect(report).toMatchObject({
        verdict: 'valid',
        checks: { timeStamps: { result: 'passed', count: tokens.length } },
      });
      expect(report.notes.join()).toContain(
        `the log up to its leaf ${rows.length - 1} existed before`,
      );
      expect(await verify(dump, null)).toMatchObject({
        verdict: 'valid',
        checks: { timeStamps: { result: 'skipped_no_input' } },
      });
      expect(classesOf(await verify(withToken(String(tokens[0]!['timestamp_token']))))).toEqual([
        'CHECKPOINT_ROOT_MISMATCH',
      ]);
      expect(classesOf(await verify(withToken('AA')))).toEqual(['CHECKPOINT_DECODE_FAILED']);
      expect(new Set(classesOf(await verify(dump, other.root)))).toEqual(
        new Set(['CHECKPOINT_SIGNATURE_INVALID']),
      );
    }));

  it('are left out of an export where somebody changed them behind the service', () =>
    rig.run(async (service) => {
      const { record } = await stamped(service);
      await note(service);
      for (const event of ['update', 'delete'])
        await rig.database.raw(`DROP TRIGGER IF EXISTS checkpoint_timestamps_no_${event}`);
      await round(service);
      const newest = await service.container.get(TOKENS.checkpointReads).newestOf(PLATFORM_CHAIN);
      // The token of the round before.
      await rig.database.raw(
        `UPDATE checkpoint_timestamps SET log_index = ${newest!.logIndex} WHERE log_index = (SELECT i FROM (SELECT MAX(log_index) AS i FROM checkpoint_timestamps) newest)`,
      );
      const document = await exported(service, record.id);
      expect(document.log).not.toHaveProperty('timestampToken');
      expect((await verified(service, document)).verdict).toBe('valid');
    }));

  it('are checked by notary verify under --tsa-roots, which says so', () =>
    rig.run(async (service) => {
      const document = await stamped(service);
      const file = join(folder, 'export.json');
      const roots = join(folder, 'roots.pem');
      writeFileSync(file, JSON.stringify(document));
      writeFileSync(roots, `${other.root}${tsa.root}`);
      const verify = async (tsaRoots?: string): Promise<[number, string]> => {
        let text = '';
        const say = (part: string): void => void (text += part);
        const code = await runVerify(
          {
            files: [file],
            keys: [`sha256:${service.vault.fingerprint}`],
            tsaRoots,
            timestampChecker: (pem) => Rfc3161Checker.under(pem),
            colour: false,
          },
          { isTTY: false, stdout: say, stderr: say } as never,
        );
        return [code, text];
      };
      const [code, text] = await verify(roots);
      expect(code).toBe(0);
      expect(text).toContain('passed   Time stamps hold (1 time stamp)');
      expect(text).toMatch(/VALID: .*existed before .*, says O=Notary test, CN=Test Time Stamps/);
      expect((await verify())[1]).toContain(
        'skipped  Time stamps hold (only checked with --tsa-roots)',
      );
      writeFileSync(roots, 'no certificate');
      expect(await verify(roots)).toEqual([
        2,
        expect.stringContaining('there is no PEM certificate in it') as string,
      ]);
    }));
});
