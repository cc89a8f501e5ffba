import { beforeAll, describe, expect, it } from 'vitest';
import { fingerprintOf, keyIdOf, publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import { signBundle } from '../../../domain/vault/sigstore-bundle.ts';
import type { AuditExport } from '../../../domain/verification/read/audit-export.ts';
import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import type { VerifyOptions } from '../../../domain/verification/formats/reported.ts';
import type { Situation } from '../../../domain/verification/report/situation.ts';
import {
  furtherReasons,
  wordsOfSituation,
} from '../../../domain/verification/report/situation-words.ts';
import { trustOf, type Trust, type TrustInput } from '../../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../../domain/verification/verify-file.ts';
import { csvHeader } from '../../../application/audit/export-csv.ts';
import { TestHub } from '../../support/attackers/make-export.ts';

interface Case {
  readonly situation: Situation;
  readonly title: string;
  readonly page: RegExp;
  readonly command: RegExp;
  readonly file: () => string | Promise<string>;
  readonly trust?: () => TrustInput;
  readonly more?: () => Promise<Partial<VerifyOptions>>;
}

let hub: TestHub;
let document: AuditExport;
let spki: Uint8Array;
let stranger: string;
let kept: string;
/** Before the key of the hub was rotated, with that key and its successor. */
let old: { readonly text: string; readonly first: Uint8Array; readonly second: Uint8Array };

const pin = (sha256Hex: string): TrustInput => ({ kind: 'fingerprint', sha256Hex });
const text = (edit: object = {}): string => JSON.stringify({ ...document, ...edit });
const listing = (reason: 'compromised' | null): TrustInput => ({
  kind: 'keys',
  spki: [old.second],
  retired: [old.first],
  retirements: [
    { keyId: keyIdOf(publicKeyFromSpki(old.first)), reason, at: '2027-01-01T00:00:00.000Z' },
  ],
});

const CASES: readonly Case[] = [
  {
    situation: 'unreadable',
    title: 'The file cannot be read',
    page: /Fetch the file from the service again/,
    command: /Fetch the file from the service again/,
    file: () => text().slice(0, 2_000),
  },
  {
    situation: 'too_large',
    title: 'The file is larger than this verifier reads',
    page: /export of a single record/,
    command: /export of a single record/,
    file: () => `[${'1,'.repeat(9_000_000)}1]`,
  },
  {
    situation: 'not_ours',
    title: 'This file is not evidence of this kind of notary',
    page: /Choose the file that the notary exported/,
    command: /Choose the file that the notary exported/,
    file: () => '{"a":1}',
  },
  {
    situation: 'other_format',
    title: 'The file has a format that this verifier does not read',
    page: /Verify it with the release that wrote it/,
    command: /Verify it with the release that wrote it/,
    file: () => text({ formatVersion: '99' }),
  },
  {
    situation: 'key_needed',
    title: 'This kind of file needs the keys themselves',
    page: /choose that file under “More checks for experts”/,
    command: /\/v1\/verification-keys with --keys/,
    file: () => kept,
    trust: () => pin(fingerprintOf(publicKeyFromSpki(spki))),
  },
  {
    situation: 'no_key',
    title: 'No key that you trust was given',
    page: /enter it in the field/,
    command: /give it with --keys/,
    file: () => text(),
    trust: () => ({ kind: 'none' }),
  },
  {
    situation: 'different_key',
    title: 'Signed by a different key than the one you trust',
    page: /Compare your fingerprint with the one that the operator gave you/,
    command: /Compare your fingerprint with the one that the operator gave you/,
    file: () => text(),
    trust: () => pin(stranger),
  },
  {
    situation: 'compromised_key',
    title: 'Signed by a key that was retired as compromised',
    page: /Fetch the file from the service again/,
    command: /give --tsa-roots/,
    file: () => old.text,
    trust: () => listing('compromised'),
  },
  {
    situation: 'retired_key',
    title: 'Signed by a retired key',
    page: /says how each key was retired/,
    command: /says how each key was retired/,
    file: () => old.text,
    trust: () => listing(null),
  },
  {
    situation: 'incomplete',
    title: 'Nothing shows that the file is complete',
    page: /Fetch the file from the service again/,
    command: /Fetch the file from the service again/,
    file: () => text({ checkpoint: null }),
  },
  {
    situation: 'other_hub',
    title: 'What the other hub signed cannot be checked',
    page: /exports of both hubs/,
    command: /exports of both hubs/,
    file: () => text(),
    more: () => Promise.resolve({ peers: [] }),
  },
  {
    situation: 'kept_statement',
    title: 'A kept statement cannot be compared with this file',
    page: /Give the export of the record/,
    command: /Give the export of the record/,
    file: () => kept,
    more: () => Promise.resolve({ kept: [kept] }),
  },
];

beforeAll(async () => {
  hub = await TestHub.start();
  const chain = await hub.gate();
  [document, spki] = [await hub.export(chain), hub.spki];
  kept = JSON.stringify(hub.kept(chain, 2));
  const [other, rotated] = [await TestHub.start(), await TestHub.start()];
  stranger = fingerprintOf(publicKeyFromSpki(other.spki));
  const before = JSON.stringify(await rotated.export(await rotated.notarize()));
  const first = rotated.spki;
  await rotated.rotate();
  old = { text: before, first, second: rotated.spki };
});

const reportOf = async ({ file, trust, more }: Case): Promise<VerificationReport> =>
  verifyFile(await file(), {
    trust: trustOf(trust?.() ?? { kind: 'keys', spki: [spki] }),
    ...(await more?.()),
  });

describe('a file that is neither valid nor invalid', () => {
  it.each(CASES)('$situation: says what is missing and what to do', async (one) => {
    const report = await reportOf(one);
    expect(report).toMatchObject({ verdict: 'cannot_tell', exitCode: 2, failures: [] });
    expect(report.situations).toHaveLength(report.reasons.length);
    expect(report.situations).toContain(one.situation);
    for (const surface of ['page', 'command'] as const) {
      const words = wordsOfSituation(report, surface)!;
      expect(words.title).toBe(one.title);
      expect(words.next).toMatch(one[surface]);
      expect(words.isDifferentKey).toBe(one.situation === 'different_key');
    }
  });

  it('has words of its own in each situation', async () => {
    const words = await Promise.all(
      CASES.map(async (one) => wordsOfSituation(await reportOf(one), 'page')!),
    );
    for (const member of ['title', 'missing'] as const)
      expect(new Set(words.map((one) => one[member])).size).toBe(CASES.length);
  });

  it('is signed by a different key: the report names both keys, and gives no vaguer reason', async () => {
    const report = await reportOf(CASES.find((one) => one.situation === 'different_key')!);
    expect(report.differentKey).toEqual({
      signedBy: [`sha256:${fingerprintOf(publicKeyFromSpki(spki))}`],
      trusted: [`sha256:${stranger}`],
    });
    expect(furtherReasons(report)).toEqual([]);
  });

  it('names the key of a bundle that contains none, if other keys are trusted', async () => {
    const [entry] = document.chain.entries;
    const payload = Buffer.from(JSON.stringify(entry!.statement));
    const other = await TestHub.start();
    const bundle = JSON.stringify(await signBundle(hub.signer, payload));
    const report = await verifyFile(bundle, {
      trust: trustOf({ kind: 'keys', spki: [other.spki] }),
    });
    expect(report.differentKey?.signedBy).toEqual([`the key ${hub.signer.keyId}`]);
    expect(wordsOfSituation(report, 'command')?.isDifferentKey).toBe(true);
  });

  it('has no differentKey if the keys agree or none was given', async () => {
    for (const trust of [{ kind: 'none' }, { kind: 'keys', spki: [spki] }] as const)
      expect(await verifyFile(text(), { trust: trustOf(trust) })).not.toHaveProperty(
        'differentKey',
      );
  });

  it('needs a key first, and then hears what else is missing', async () => {
    const report = await verifyFile(text({ checkpoint: null }), {
      trust: trustOf({ kind: 'none' }),
    });
    expect(wordsOfSituation(report, 'page')?.title).toBe('No key that you trust was given');
    expect(furtherReasons(report)).toEqual([
      'no closing checkpoint that holds says where this chain ends',
    ]);
  });

  it('is the fault of the verifier if that could not finish', async () => {
    const broken: Trust = {
      ...trustOf({ kind: 'keys', spki: [spki] }),
      trusts: () => {
        throw new Error('out of order');
      },
    };
    const report = await verifyFile(text(), { trust: broken });
    expect(report).toMatchObject({ verdict: 'cannot_tell', situations: ['unfinished'] });
    expect(wordsOfSituation(report, 'page')?.missing).toMatch(/fault of the verifier/);
    expect(furtherReasons(report).join()).toContain('out of order');
  });

  it.each([csvHeader(true), csvHeader(false)])(
    'says that CSV is for spreadsheets: %j',
    async (csv) => {
      const trust = trustOf({ kind: 'keys', spki: [spki] });
      const report = await verifyFile(`${csv}1,RECORD_RECORDED`, { trust });
      expect(report.verdict).toBe('cannot_tell');
      expect(report.reasons.join()).toContain('reads the export as JSON or NDJSON');
    },
  );

  it('has no such words if it is valid or invalid', async () => {
    const trust = trustOf({ kind: 'keys', spki: [spki] });
    const valid = await verifyFile(text(), { trust });
    const invalid = await verifyFile(text({ checkpoint: null, keyStatements: [] }), { trust });
    expect([valid.verdict, invalid.verdict]).toEqual(['valid', 'invalid']);
    for (const report of [valid, invalid]) expect(wordsOfSituation(report, 'page')).toBeNull();
  });
});
