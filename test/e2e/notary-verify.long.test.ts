import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { fingerprintOf, publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import { DUMP_FILES, nameOfDumpFile } from '../../domain/verification/dump/rows/dump-rows.ts';
import { makeGenuineDump, type GenuineDump } from '../support/attackers/genuine-dump.ts';
import type { DumpTexts } from '../support/attackers/dump-files.ts';
import { TestHub } from '../support/attackers/make-export.ts';
import { mutantOf } from '../support/attackers/mutate.ts';

const BUILT = resolve('dist/docs');
/** Holds the one file and what it verifies; no package is to be found from here. */
const empty = mkdtempSync(join(tmpdir(), 'notary-alone-'));
const file = (...names: readonly string[]): string => join(empty, ...names);

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const node = (cwd: string, ...args: readonly string[]): Promise<Ended> =>
  new Promise((done) => {
    execFile(
      process.execPath,
      args,
      { cwd, maxBuffer: 2 ** 28, env: { PATH: process.env['PATH'] } },
      (error, stdout, stderr) => done({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

const alone = (...args: readonly string[]): Promise<Ended> =>
  node(empty, 'notary-verify.mjs', ...args);
const program = (...args: readonly string[]): Promise<Ended> =>
  node(empty, resolve('dist/config/main.js'), 'verify', ...args);

/** All but how long it took. */
const saidBy = ({ code, stdout, stderr }: Ended): object => ({
  code,
  stderr,
  stdout: stdout.replace(/"durationMs": \d+/, '').replace(/\d+ ms/g, ''),
});

const expectTheSame = async (...args: readonly string[]): Promise<Ended> => {
  const [one, other] = await Promise.all([alone(...args), program(...args)]);
  expect(saidBy(one), args.join(' ')).toEqual(saidBy(other));
  return one;
};

const fingerprint = (spki: Uint8Array): string =>
  `sha256:${fingerprintOf(publicKeyFromSpki(spki))}`;

let hub: TestHub;
let firstPin: string;
let newestPin: string;
let dump: GenuineDump;
let dumpPin: string;

beforeAll(async () => {
  copyFileSync(join(BUILT, 'notary-verify.mjs'), file('notary-verify.mjs'));
  hub = await TestHub.start();
  const chain = await hub.gate();
  const old = await hub.export(chain);
  firstPin = fingerprint(hub.spki);
  await hub.rotate();
  newestPin = fingerprint(hub.spki);
  const good = await hub.export(await hub.gate());
  const text = JSON.stringify(good);
  writeFileSync(file('good.json'), text);
  writeFileSync(file('old.json'), JSON.stringify(old));
  writeFileSync(file('truncated.json'), text.slice(0, text.length / 2));
  writeFileSync(file('empty.json'), '');
  writeFileSync(file('keys.json'), JSON.stringify({ data: good.keys }));
  const tampered = { ...good, record: { ...good.record, status: 'FAILED' } };
  writeFileSync(file('tampered.json'), JSON.stringify(tampered));
  writeFileSync(file('kept.json'), JSON.stringify(hub.kept(chain, 2)));

  mkdirSync(file('mutants'));
  const mutants = fc.sample(mutantOf(good as unknown as JsonObject), { numRuns: 60, seed: 1911 });
  mutants.forEach((mutant, at) =>
    writeFileSync(file('mutants', `${String(at).padStart(3, '0')}.json`), JSON.stringify(mutant)),
  );

  dump = await makeGenuineDump(3);
  [dumpPin] = dump.trust.names as [string];
  writeDump('dump', dump.texts);
  const [line] = dump.texts.audit_vault.split('\n').slice(-2);
  const { chain_position: position } = JSON.parse(line!) as { readonly chain_position: number };
  writeDump('tampered-dump', {
    ...dump.texts,
    audit_vault: dump.texts.audit_vault.replace(
      line!,
      line!.replace(`"chain_position":${position}`, `"chain_position":${position + 1}`),
    ),
  });
});
afterAll(() => rmSync(empty, { recursive: true, force: true }));

const writeDump = (folder: string, texts: DumpTexts): void => {
  mkdirSync(file(folder));
  for (const name of DUMP_FILES) writeFileSync(file(folder, nameOfDumpFile(name)), texts[name]);
};

describe('notary-verify.mjs, alone in a folder', () => {
  it.each<[string, string, () => string, number, RegExp]>([
    ['a good export', 'good.json', () => newestPin, 0, /\nVALID: 3 entries, complete as of/],
    ['a good export under the older pin', 'good.json', () => firstPin, 0, /\nVALID: /],
    [
      'a tampered one',
      'tampered.json',
      () => newestPin,
      1,
      /\nINVALID: 1 failure, the first CHAIN_/,
    ],
    [
      'a wrong pin',
      'good.json',
      () => `sha256:${'ab'.repeat(32)}`,
      2,
      /Signed by a different key than the one you trust\n(  signed by  sha256:[0-9a-f]{64}\n)+  you trust  sha256:abab/,
    ],
    [
      'a truncated file',
      'truncated.json',
      () => newestPin,
      2,
      /only a part of one; fetch it again/,
    ],
    ['an empty file', 'empty.json', () => newestPin, 2, /the file is empty/],
    ['a file older than the pin', 'old.json', () => newestPin, 2, /fetch it again/],
    ['that file under its own pin', 'old.json', () => firstPin, 0, /\nVALID: /],
    ['a file of keys', 'good.json', () => 'keys.json', 0, /\nVALID: /],
    ['a file that is not there', 'nowhere.json', () => newestPin, 2, /cannot be read/],
    ['a kept statement alone', 'kept.json', () => firstPin, 2, /CANNOT TELL/],
  ])(
    'says of %s what notary verify says, and ends as it does',
    async (_what, name, pin, code, says) => {
      for (const form of [[], ['--json']]) {
        const ended = await expectTheSame(name, '--keys', pin(), ...form);
        expect(ended.code).toBe(code);
        if (form.length === 0) expect(`\n${ended.stdout}${ended.stderr}`).toMatch(says);
      }
    },
  );

  it('takes the other flags as well', async () => {
    expect((await expectTheSame('good.json')).code).toBe(2);
    expect((await expectTheSame('good.json', '--trust-embedded')).code).toBe(0);
    expect((await expectTheSame('old.json', '--keys', firstPin, '--kept', 'kept.json')).code).toBe(
      0,
    );
    expect(
      (await expectTheSame('good.json', '--keys', newestPin, '--agent-keys', 'none')).code,
    ).toBe(2);
    expect((await expectTheSame('good.json', '--expect-root', 'ab')).code).toBe(2);
    expect((await alone('--nonsense')).code).toBe(2);
    expect((await alone('--help')).stdout).toContain('node notary-verify.mjs export.json --keys');
  });

  it('says the same of changed exports as notary verify', async () => {
    const { code, stdout } = await expectTheSame('mutants', '--keys', newestPin, '--json');
    const { summary, files } = JSON.parse(stdout) as {
      readonly summary: Readonly<Record<string, number>>;
      readonly files: readonly unknown[];
    };
    expect([code, files.length]).toEqual([1, 60]);
    expect(summary['invalid']).toBeGreaterThan(40);
  });

  it('verifies the folder of a dump', async () => {
    const good = await expectTheSame('dump', '--keys', dumpPin, '--expect-root', dump.root);
    expect([good.code, good.stderr]).toEqual([0, '']);
    const tampered = await expectTheSame('tampered-dump', '--keys', dumpPin, '--json');
    expect(tampered.code).toBe(1);
    expect(tampered.stdout).toContain('CHAIN_POSITION_GAP');
    expect(
      (await expectTheSame('dump', '--keys', dumpPin, '--expect-root', '0'.repeat(64))).code,
    ).toBe(1);
  });

  it('evaluates gates where the file that does so stands beside it, and says what is missing where not', async () => {
    const without = await alone('good.json', '--keys', newestPin, '--gates');
    expect([without.code, without.stderr]).toEqual([
      2,
      expect.stringContaining('notary-gates.mjs'),
    ]);
    copyFileSync(join(BUILT, 'notary-gates.mjs'), file('notary-gates.mjs'));
    const { stdout } = await expectTheSame('good.json', '--keys', newestPin, '--gates');
    expect(stdout).toContain('Gates, evaluated again, say what was sealed (1 evaluation)');
  });
});

describe('the build of notary-verify.mjs', () => {
  it('gives the same bytes in another folder, and beside them their SHA-256', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'notary-built-in-another-place-'));
    try {
      for (const name of ['domain', 'application', 'adapters', 'config', 'docs'])
        cpSync(name, join(elsewhere, name), { recursive: true });
      for (const name of ['package.json', 'bundle.js', 'only-version.js', 'tsconfig.json'])
        copyFileSync(name, join(elsewhere, name));
      symlinkSync(resolve('node_modules'), join(elsewhere, 'node_modules'));
      const { code, stderr } = await node(elsewhere, 'bundle.js', 'made');
      expect([code, stderr]).toEqual([0, '']);
      const made = readdirSync(join(elsewhere, 'made'), { recursive: true, encoding: 'utf8' });
      expect(made).toEqual(
        expect.arrayContaining([
          'notary-verify.mjs',
          'notary-verify.mjs.sha256',
          'verify-page.js',
          'verify.html',
        ]),
      );
      for (const name of made.filter((one) => one.includes('.')))
        expect(
          readFileSync(join(elsewhere, 'made', name)).equals(readFileSync(join(BUILT, name))),
          name,
        ).toBe(true);
    } finally {
      rmSync(elsewhere, { recursive: true, force: true });
    }
    const bytes = readFileSync(join(BUILT, 'notary-verify.mjs'));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(readFileSync(join(BUILT, 'notary-verify.mjs.sha256'), 'utf8')).toBe(
      `${sha256}  notary-verify.mjs\n`,
    );
    expect(bytes.length).toBeLessThan(490_000);
    expect(statSync(join(BUILT, 'verify-page.js')).size).toBeLessThan(360_000);
    expect(bytes.includes('new Function'), 'nothing makes code of text').toBe(false);
  });
});
