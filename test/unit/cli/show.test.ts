import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram, type Commands } from '../../../adapters/cli/program.ts';
import { fingerprintOf, publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import type { AuditExport } from '../../../domain/verification/read/audit-export.ts';
import { created, delegated, signStory, verified } from '../../support/attackers/lying-operator.ts';
import { TestHub } from '../../support/attackers/make-export.ts';

let folder: string;
let hub: TestHub;
let document: AuditExport;
let good: string;
let bad: string;
let long: string;
let fingerprint: string;

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const run = async (args: readonly string[], isTTY = false): Promise<Ran> => {
  let [out, err] = ['', ''];
  const io = {
    stdout: (text: string) => void (out += text),
    print: () => Promise.resolve(),
    stderr: (text: string) => void (err += text),
    isTTY,
  };
  const code = await createProgram({} as Commands, io, '0.1.0').run(args);
  return { code, out, err };
};
const show = (file: string, ...more: string[]): Promise<Ran> =>
  run(['show', file, '--keys', `sha256:${fingerprint}`, ...more]);
const verify = (file: string, ...more: string[]): Promise<Ran> =>
  run(['verify', file, '--keys', `sha256:${fingerprint}`, ...more]);

const write = async (name: string, content: unknown): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'show-'));
  hub = await TestHub.start();
  fingerprint = fingerprintOf(publicKeyFromSpki(hub.spki));
  document = await hub.export(await hub.gate());
  good = await write('good.json', document);
  bad = await write('bad.json', JSON.stringify(document).replace('"120.50"', '"999.50"'));
  const chain = await signStory(hub, {
    type: { cascade: { rule: 'all-fulfilled' } },
    steps: [created, delegated(1), ...Array.from({ length: 3_000 }, () => verified('FULFILLED'))],
  });
  long = await write('long.json', await hub.export(chain));
});
afterAll(() => rm(folder, { recursive: true }));

const STORY = (): string => `Audit export of record ${document.record.id}

  type       "invoice-approval", version 1, published by "acme"
  org        "Acme" (${hub.orgId})
  principal  "planner" (${hub.principal}) of "Acme"
  performer  "builder" (${hub.performer}) of "Acme"
             Names are what the service called them when it made this file. They are not sealed; ids are.
  decided by the principal
  platform   "api"
  criteria   {"action":"invoice.approve","amount":"120.50","lines":[1,2,3]}
  signed by  sha256:${fingerprint} (key ${hub.signer.keyId})

  2026-11-20T10:00:03.000Z  #1  the principal "planner" opened the record, and the work began at once
  2026-11-20T10:00:04.000Z  #2  the performer "builder" delivered the work
                                evidence {"invoice":"F-2026-118","total":"120.50","remark":"ünïcode ✓"}
                                gates as advice: PASSED, the type has none
  2026-11-20T10:00:06.000Z  #3  the principal "planner" accepted the work

  outcome    FULFILLED since 2026-11-20T10:00:06.000Z: the work was accepted

`;

describe('notary show', () => {
  it('tells the story alone, and the verdict', async () => {
    const { code, out, err } = await show(good);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.replace(/\nVALID: .*\n$/, '\n')).toBe(STORY());
    expect(out).toMatch(/\nVALID: 3 entries, complete as of \S+Z, verified in \d+ ms\n$/);
  });

  it('of a tampered file says so above it, with the failure, and ends with 1', async () => {
    const { code, out } = await show(bad);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^Audit export of record \S+\n\nNOT VERIFIED: the file is INVALID, with 1 failure\. .*\n {2}.*CHAIN_PAYLOAD_BINDING_MISMATCH at position 3/,
    );
    expect(out).toContain('outcome    as the file says: FULFILLED');
    expect(out).toContain('#3  [a check failed here] the principal "planner" accepted the work');
    expect(out).not.toContain('999.50');
    expect(out).toMatch(/\nINVALID: 1 failure, the first CHAIN_PAYLOAD_BINDING_MISMATCH .*\n$/);
  });

  it('without a key, or under another one, says so above it, and ends with 2', async () => {
    const none = await run(['show', good]);
    expect(none.code).toBe(2);
    expect(none.out).toMatch(
      /^Audit export .*\n\nNOT VERIFIED: no key from elsewhere was given\. This is what the file says; anyone could have made such a file\.\n/,
    );
    const other = await run(['show', good, '--keys', 'ab'.repeat(32)]);
    expect(other.code).toBe(2);
    expect(other.out).toMatch(
      /\n\nNOT VERIFIED: signed by a different key than the one you trust\. This is what the file says\.\n/,
    );
    expect(other.out).toMatch(
      new RegExp(
        `\\nSigned by a different key than the one you trust\\n {2}signed by {2}sha256:${fingerprint}\\n {2}you trust {2}sha256:(ab){32}\\n {2}The fingerprint has a typing error .*\\n {2}Compare your fingerprint .*\\n$`,
      ),
    );
    expect(other.out).not.toMatch(/cannot tell/i);
    const own = await run(['show', good, '--trust-embedded']);
    expect(own.code).toBe(0);
    expect(own.out).toMatch(/\n\nVERIFIED BY ITS OWN KEYS ONLY: /);
    expect(own.out).toMatch(/\nVALID: .*, but only by the keys in the file itself\n$/);
  });

  it('of a file that is none of ours tells no story: 2, in a sentence', async () => {
    const { code, out } = await show(await write('other.json', '{}'));
    expect({ code, out }).toEqual({
      code: 2,
      out: `  the file is JSON, but neither an audit export nor a signed statement

CANNOT TELL: This file is not evidence of this kind of notary
  It is not an audit export, an attestation or a signed statement, so there is nothing to verify.
  Choose the file that the notary exported.
`,
    });
    const absent = await show(join(folder, 'absent.json'));
    expect(absent).toMatchObject({ code: 2, out: '' });
    expect(absent.err).toMatch(/^notary show: the file \S+absent\.json cannot be read/);
  });

  it('of thousands of entries tells the first and the last, and counts those between', async () => {
    const { code, out } = await show(long);
    expect(code).toBe(0);
    expect(out).toContain('  … 2002 steps in between left out …\n');
    expect(out).toMatch(
      / #500 [^\n]+\n[^\n]+\n[^\n]*2002 steps in between[^\n]*\n\S* *\S+ {2}#2503 /,
    );
    expect(out).toContain(' #3002  ');
    expect(out.split('\n').length).toBeLessThan(2_100);
    const report = (await verify(long)).out;
    expect(report).toContain(
      '  … 2962 steps in between left out; notary show tells more of them …\n',
    );
    expect(report.split('\n').length).toBeLessThan(140);
  });

  it('--json gives its members, whatever the verdict', async () => {
    const members = [
      'verdict',
      'exitCode',
      'reasons',
      'situations',
      'brokenAt',
      'trustSource',
      'story',
    ];
    const valid = JSON.parse((await show(good, '--json')).out) as object;
    expect(Object.keys(valid)).toEqual(members);
    expect(valid).toMatchObject({ verdict: 'valid', story: { verified: true, stepsLeftOut: 0 } });
    expect(JSON.parse((await show(bad, '--json')).out)).toMatchObject({
      verdict: 'invalid',
      exitCode: 1,
      brokenAt: { position: 3 },
      story: { verified: false, steps: [{}, {}, { failed: true }] },
    });
    expect(JSON.parse((await show('absent', '--json')).out)).toMatchObject({
      verdict: 'cannot_tell',
      exitCode: 2,
      story: null,
    });
  });

  it('lets nothing of the file act on the terminal, in text and in JSON', async () => {
    const evil = '\u001b[2J\u001b]0;owned\u0007\u202e\u009b31m\n  VALID: "';
    const file = await write('evil.json', {
      ...document,
      parties: document.parties.map((party) => ({ ...party, name: evil, orgName: evil })),
    });
    for (const more of [[], ['--json']])
      for (const { code, out } of [await show(file, ...more), await verify(file, ...more)]) {
        expect(code).toBe(0);
        expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(out.match(/^ *VALID: /gm) ?? []).toHaveLength(more.length === 0 ? 1 : 0);
      }
  });

  it('is coloured where somebody reads along, unless NO_COLOR is set', async () => {
    const coloured = /\p{Cc}\[3/u;
    expect((await run(['show', good], true)).out).toMatch(coloured);
    expect((await show(good)).out).not.toMatch(coloured);
    const before = process.env['NO_COLOR'];
    process.env['NO_COLOR'] = '1';
    try {
      for (const command of ['show', 'verify'])
        expect((await run([command, good], true)).out, command).not.toMatch(/\p{Cc}\[/u);
    } finally {
      if (before === undefined) delete process.env['NO_COLOR'];
      else process.env['NO_COLOR'] = before;
    }
  });
});

describe('notary verify', () => {
  it('tells the same story above its checks', async () => {
    const { out } = await verify(good);
    expect(out.startsWith(`${STORY()}What was checked\n`)).toBe(true);
  });

  it('has it in --json, and of several files the outcome', async () => {
    expect(JSON.parse((await verify(good, '--json')).out)).toMatchObject({
      story: { verified: true, steps: [{ position: 1 }, { position: 2 }, { position: 3 }] },
    });
    expect((await verify(good, bad)).out).toMatch(
      / VALID +\S+good\.json {2}FULFILLED "invoice-approval", 3 entries, complete as of /,
    );
    expect(JSON.parse((await verify(good, bad, '--json')).out)).toMatchObject({
      files: [
        { story: { verified: true, outcome: { status: 'FULFILLED' }, steps: [], stepsLeftOut: 3 } },
        { story: { verified: false } },
      ],
    });
  });

  it('explains the numbers that it shows, and why a check was skipped', async () => {
    const { out } = await verify(good);
    for (const line of [
      'passed   Positions run without a gap\n',
      'passed   Each signature holds: of entries, checkpoints and keys (6 signatures)\n',
      'passed   Checkpoints agree with the chain (2 checkpoints)\n',
      'passed   Evidence and content in the file are what was sealed (1 piece)\n',
      'skipped  Co-signatures hold (nobody co-signed)\n',
      'skipped  Receipts hold (the file holds none)\n',
      'skipped  Gates, evaluated again, say what was sealed (only looked at with --gates)\n',
      'skipped  Kept statements stand in the chain (none was given with --kept)\n',
    ])
      expect(out).toContain(line);
    expect(out).not.toMatch(/\(\d+\)\n/);
    expect((await run(['verify', good])).out).toContain(
      'skipped  A trusted key reaches every signing key (no key from elsewhere leads to those of the file)\n',
    );
    const { checkpoint: _none, ...open } = document;
    expect((await verify(await write('open.json', open))).out).toContain(
      'skipped  The export holds the chain to its end (no closing checkpoint that holds)\n',
    );
  });

  it('lists the first failures, and says how many more there are', async () => {
    const entries = document.chain.entries.map((entry) => ({ ...entry }));
    const many = Array.from({ length: 100 }, (_, n) => ({ [`x${n}`]: n }));
    const file = await write(
      'many.json',
      Object.assign({ ...document, chain: { ...document.chain, entries } }, ...many),
    );
    const { out } = await verify(file);
    expect(out.match(/CHAIN_COSE_DECODE_FAILED in the file:/g)).toHaveLength(50);
    expect(out).toContain('  and 50 failures more; --json lists up to 10,000\n');
    expect((await show(file)).out).toContain('and 95 failures more; --json lists up to 10,000\n');
  });
});
