import { beforeAll, describe, expect, it } from 'vitest';
import { PLATFORM_CHAIN } from '../../../domain/vault/chain-key.ts';
import { decodeSign1 } from '../../../domain/vault/cose-sign1.ts';
import type { Statement } from '../../../domain/vault/statement.ts';
import type { AuditExport } from '../../../domain/verification/read/audit-export.ts';
import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import { UNFINISHED } from '../../../domain/verification/formats/reported.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../../domain/verification/formats/verify-audit-export.ts';
import { TestHub } from '../../support/attackers/make-export.ts';
import { busyMs, slowness } from '../../support/service/event-loop-gap.ts';

let hub: TestHub;
let genuine: AuditExport;
beforeAll(async () => {
  hub = await TestHub.start();
  genuine = await hub.export(await hub.gate());
});
const verify = (input: string | Uint8Array, by = hub): Promise<VerificationReport> =>
  verifyAuditExport(input, { trust: trustOf({ kind: 'keys', spki: [by.spki] }) });

describe('what is large or deep ends as a report, in bounded time and memory', () => {
  const MIB = 1024 * 1024;
  const zeros = (bytes: number): string => `[${'0,'.repeat(bytes / 2)}0]`;
  const cases: readonly [string, () => string][] = [
    ['12 MiB of zeros as a file', () => zeros(12 * MIB)],
    ['12 MiB of zeros as entries', () => inPlaceOf(genuine.chain.entries, zeros(12 * MIB))],
    ['12 MiB of zeros as keys', () => inPlaceOf(genuine.keys, zeros(12 * MIB))],
    ['12 MiB of zeros as checkpoints', () => inPlaceOf(genuine.checkpoints, zeros(12 * MIB))],
    ['12 MiB of zeros as criteria', () => inPlaceOf(genuine.record.criteria, zeros(12 * MIB))],
    ['12 MiB of zeros as one statement', () => inStatement(zeros(12 * MIB))],
    ['1 MiB of zeros as entries', () => inPlaceOf(genuine.chain.entries, zeros(MIB / 8))],
    ['40 MiB of empty objects', () => `[${'{},'.repeat((40 * MIB) / 3)}{}]`],
    ['12 MiB of brackets', () => '['.repeat(12 * MIB)],
    ['brackets 5,000 deep', () => `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
    ['objects 5,000 deep', () => inStatement(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`)],
    ['4 MiB of members', () => inStatement(`{${members((4 * MIB) / 12)}}`)],
    ['4 MiB of unknown members', () => `{${members((4 * MIB) / 12)},"chain":{},"record":{}}`],
    ['12 MiB of one text', () => inStatement(JSON.stringify('\u009b'.repeat(6 * MIB)))],
    ['a number of a megabyte', () => inStatement('9'.repeat(MIB))],
  ];
  const members = (count: number): string =>
    Array.from({ length: count }, (_, index) => `"m${index}":0`).join(',');
  const inPlaceOf = (part: unknown, text: string): string =>
    JSON.stringify(genuine).replace(JSON.stringify(part), () => text);
  const inStatement = (text: string): string =>
    inPlaceOf(genuine.chain.entries[1]!.statement, text);

  it.each(cases)('%s', async (_what, input) => {
    const text = input();
    expect(text.length).toBeGreaterThan(5_000);
    const started = busyMs();
    const report = await verify(text);
    expect((busyMs() - started) / slowness()).toBeLessThan(30_000);
    expect(report.exitCode).not.toBe(0);
    expect(report.reasons.filter((reason) => reason.startsWith(UNFINISHED))).toEqual([]);
    expect(report.failures.length).toBeLessThanOrEqual(10_001);
    expect(JSON.stringify(report).length).toBeLessThan(10 * MIB);
  });

  it('counts the failures that it does not list, and never loses the first', async () => {
    const many = structuredClone(genuine) as unknown as { chain: { entries: unknown[] } };
    many.chain.entries = [...Array.from({ length: 30_000 }, () => 0), ...many.chain.entries];
    const report = await verify(JSON.stringify(many));
    expect(report.failureCount).toBeGreaterThan(30_000);
    expect(report.failures.length).toBeLessThanOrEqual(10_001);
    expect(report.brokenAt).toEqual(report.failures[0]);
    // Of all that is found last, this stands first in the order of a report.
    expect(report.brokenAt).toMatchObject({ position: 1, class: 'CHAIN_POSITION_GAP' });
  });
});

describe('references that are no objects', () => {
  it.each([[[null]], [[[]]], [['x']], [[0]], [null], [{}]])('%j: invalid', async (references) => {
    expect(
      await verify(JSON.stringify({ ...genuine, record: { ...genuine.record, references } })),
    ).toMatchObject({ verdict: 'invalid', brokenAt: { class: 'CHAIN_COSE_DECODE_FAILED' } });
  });
});

describe('the closing checkpoint', () => {
  it.each([[null], [undefined]])('%s: completeness has no input, exit 2', async (checkpoint) => {
    expect(await verify(JSON.stringify({ ...genuine, checkpoint }))).toMatchObject({
      verdict: 'cannot_tell',
      exitCode: 2,
      failures: [],
      checks: { completeness: { result: 'skipped_no_input' } },
      subject: { completeAsOf: null },
    });
  });
});

describe('an audit export is of a record', () => {
  it('the platform chain, with its own checkpoint and an invented record, is refused', async () => {
    const platform = await TestHub.start();
    await platform.platformEntry('ORG_CREATED', { orgId: platform.orgId });
    const invented = platform.chain();
    const dressed = await platform.export({
      ...invented,
      chainKey: PLATFORM_CHAIN,
      entries: platform.platform,
      statements: platform.platform.map((entry) => statementIn(entry.coseSign1)),
      record: { ...invented.record, id: PLATFORM_CHAIN, status: 'FULFILLED' },
    });
    // All of it is genuine but for the record.
    expect(await verify(JSON.stringify(dressed), platform)).toMatchObject({
      verdict: 'invalid',
      failures: expect.arrayContaining([
        {
          class: 'CHAIN_PAYLOAD_BINDING_MISMATCH',
          chainKey: PLATFORM_CHAIN,
          position: null,
          detail: expect.stringContaining('an audit export is of a record'),
        },
      ]),
    });
  });

  it.each([['schema:0190a000-0000-7000-8000-000000000002'], ['x'], ['']])(
    'a chain called "%s" is refused',
    async (chainKey) => {
      const report = await verify(
        JSON.stringify({
          ...genuine,
          record: { ...genuine.record, id: chainKey },
          chain: { ...genuine.chain, chainKey },
        }),
      );
      expect(report.brokenAt).toMatchObject({
        class: 'CHAIN_PAYLOAD_BINDING_MISMATCH',
        detail: expect.stringContaining('an audit export is of a record'),
      });
    },
  );
});

const statementIn = (coseSign1: Uint8Array): Statement =>
  JSON.parse(new TextDecoder().decode(decodeSign1(coseSign1).payload)) as Statement;
