import { beforeAll, describe, expect, it } from 'vitest';
import { DumpThreads, threadsFor } from '../../../adapters/cli/dump-threads.ts';
import { runtimeEquation } from '../../../adapters/cli/runtime-equation.ts';
import { isUuid } from '../../../domain/kernel/ids.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { PLATFORM_CHAIN } from '../../../domain/vault/chain-key.ts';
import { ImmediateChecks } from '../../../domain/vault/signatures.ts';
import type { OpenLanes } from '../../../domain/verification/dump/lane.port.ts';
import { oneLane } from '../../../domain/verification/dump/lane-work.ts';
import { verifyDump } from '../../../domain/verification/dump/verify-dump.ts';
import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { rowsOf, sourceOf, type DumpTexts } from '../../support/attackers/dump-files.ts';
import {
  withoutRow,
  withRow,
  withRows,
  withRowsSwapped,
  withRowTwice,
} from '../../support/attackers/dump-mutations.ts';
import { dumpOf } from '../../support/attackers/signed-dump.ts';
import { TestHub, type TestChain } from '../../support/attackers/make-export.ts';

const SCRIPT = new URL('../../../config/dump-worker.ts', import.meta.url);
const threads =
  (count: number): OpenLanes =>
  (setting) =>
    new DumpThreads(SCRIPT, count, setting);

const LANES: readonly OpenLanes[] = [oneLane(new ImmediateChecks(runtimeEquation())), threads(4)];

/** Of the records, the platform and the types of the org. */
const CHAINS = 240 + 2;

let hub: TestHub;
/** Of several blocks, the platform chain among them longer than the longest. */
let genuine: DumpTexts;

beforeAll(async () => {
  hub = await TestHub.start();
  for (let entry = 0; entry < 900; entry++)
    await hub.platformEntry('ORG_CREATED', { orgId: hub.id(), slug: `org-${entry}` });
  const chains: TestChain[] = [];
  for (let chain = 0; chain < 240; chain++)
    chains.push(chain % 3 === 0 ? await hub.notarize({ text: `note ${chain}` }) : await hub.gate());
  genuine = await dumpOf(hub, chains);
  const platform = rows().filter((row) => row['chain_key'] === PLATFORM_CHAIN);
  expect(JSON.stringify(platform).length).toBeGreaterThan(1.2 * 1024 * 1024);
  expect(genuine.audit_vault.length).toBeGreaterThan(2.5 * 1024 * 1024);
});

const verified = (texts: DumpTexts, lanes: OpenLanes, window?: number) =>
  verifyDump(sourceOf(texts), {
    trust: trustOf({ kind: 'keys', spki: [hub.spki] }),
    lanes,
    ...(window ? { window } : {}),
  });

/** The one report of all of them. */
const reportOf = async (texts: DumpTexts): Promise<VerificationReport> => {
  const reports: VerificationReport[] = [];
  for (const lanes of LANES) reports.push(await verified(texts, lanes));
  for (const report of reports) expect(report).toEqual(reports[0]);
  return reports[0]!;
};

const rows = (): JsonObject[] => rowsOf(genuine.audit_vault);
const entryAt = (share: number): number => Math.floor(rows().length * share);
const changed = (member: string, value: JsonObject[string]) => (row: JsonObject) => ({
  ...row,
  [member]: value,
});

describe('a dump that is verified in threads', () => {
  it('is VALID, however many there are', async () => {
    const report = await reportOf(genuine);
    expect(report).toMatchObject({ verdict: 'valid', failureCount: 0 });
    expect(report.subject).toMatchObject({
      entries: rows().length,
      dump: { chains: CHAINS, checkpoints: CHAINS },
    });
    expect(report.checks.signatures.count).toBe(rows().length + CHAINS + 1);
    expect(await verified(genuine, threads(1))).toEqual(report);
  });

  it('is the same where only a few checkpoints fit into the memory, and what is missing is missed', async () => {
    const whole = await verified(genuine, LANES[0]!);
    for (const lanes of LANES) expect(await verified(genuine, lanes, 7)).toEqual(whole);
    const lost = rows().findLast((row) => isUuid(String(row['chain_key'])))!['chain_key'];
    const cut = withRows(genuine, 'audit_vault', (all) =>
      all.filter((row) => row['chain_key'] !== lost),
    );
    for (const lanes of LANES) {
      const { failures } = await verified(cut, lanes, 7);
      expect(failures).toHaveLength(1);
      expect(failures[0]!.class).toBe('CHECKPOINT_CHAIN_MISSING');
      expect(failures[0]!.chainKey).toBe(lost);
    }
  });

  const tamperings: readonly (readonly [string, () => DumpTexts])[] = [
    [
      'a signature in each block',
      () =>
        withRows(genuine, 'audit_vault', (all) =>
          all.map((row, at) => (at % 97 === 96 ? changed('cose_sign1', spoilt(row))(row) : row)),
        ),
    ],
    [
      'a byte that is no JSON',
      () => ({
        ...genuine,
        audit_vault: genuine.audit_vault.replace('"record_id"', 'record_id"'),
      }),
    ],
    ['an entry gone', () => withoutRow(genuine, 'audit_vault', entryAt(0.7))],
    ['an entry twice', () => withRowTwice(genuine, 'audit_vault', entryAt(0.8))],
    [
      'two entries swapped across blocks',
      () => withRowsSwapped(genuine, 'audit_vault', entryAt(0.65), entryAt(0.95)),
    ],
    ['the file upside down', () => withRows(genuine, 'audit_vault', (all) => all.toReversed())],
    [
      'a chain at the end once more',
      () =>
        withRows(genuine, 'audit_vault', (all) => [
          ...all,
          ...all.filter((row) => row['chain_key'] === all[entryAt(0.9)]!['chain_key']),
        ]),
    ],
    [
      'a high key in the middle',
      () => withRow(genuine, 'audit_vault', entryAt(0.75), changed('chain_key', 'zzz')),
    ],
    [
      'a line too long',
      () => {
        const lines = genuine.audit_vault.split('\n');
        return {
          ...genuine,
          audit_vault: lines.toSpliced(entryAt(0.8), 1, 'x'.repeat(400_000)).join('\n'),
        };
      },
    ],
    ['the end cut off', () => ({ ...genuine, audit_vault: genuine.audit_vault.slice(0, -40) })],
    ['a checkpoint gone', () => withoutRow(genuine, 'vault_checkpoints', 100)],
    ['two checkpoints swapped', () => withRowsSwapped(genuine, 'vault_checkpoints', 10, 200)],
    [
      'a checkpoint of another head',
      () =>
        withRows(genuine, 'vault_checkpoints', (all) =>
          all.with(50, { ...all[50]!, cose_sign1: all[51]!['cose_sign1']! }),
        ),
    ],
    ['no log', () => ({ ...genuine, vault_checkpoints: '' })],
    ['no entries', () => ({ ...genuine, audit_vault: '' })],
  ];

  it.each(tamperings)(
    'is INVALID with the same failures in the same order: %s',
    async (_what, tamper) => {
      const report = await reportOf(tamper());
      expect(report.verdict).not.toBe('valid');
      expect(report.exitCode).toBeGreaterThan(0);
    },
  );
});

describe('how many threads', () => {
  it.each([
    ['a small dump', 3_000_000, 8, 0],
    ['one core', 1e12, 1, 0],
    ['a large dump', 1e9, 4, 4],
    ['one of many cores: what fits into the memory', 1e12, 64, 8],
  ])('%s', (_what, bytes, cores, count) => {
    expect(threadsFor(bytes, cores)).toBe(count);
  });
});

const spoilt = (row: JsonObject): string => {
  const bytes = Buffer.from(String(row['cose_sign1']), 'base64');
  bytes[bytes.length - 40]! ^= 1;
  return bytes.toString('base64');
};
