import { createServer, type Server } from 'node:http';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runVerify, type VerifyArguments } from '../../../adapters/cli/verify.ts';
import { fingerprintOf, publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import type { AuditExport } from '../../../domain/verification/read/audit-export.ts';
import { FAILURE_CLASSES, type FailureClass } from '../../../domain/verification/report/failure.ts';
import { NO_TRUST } from '../../../domain/verification/formats/reported.ts';
import { TestHub } from '../../support/attackers/make-export.ts';

let folder: string;
let hub: TestHub;
let document: AuditExport;
let good: string;
let bad: string;
let keys: string;
let server: Server;
let url: string;

const run = async (
  {
    file = good,
    keys: given,
    ...args
  }: Partial<Omit<VerifyArguments, 'keys'>> & {
    readonly file?: string;
    readonly keys?: string | readonly string[];
  },
  isTTY = false,
): Promise<{ code: number; out: string; err: string }> => {
  let [out, err] = ['', ''];
  const code = await runVerify(
    { files: [file], keys: given === undefined ? undefined : [given].flat(), ...args },
    {
      stdout: (text) => void (out += text),
      print: () => Promise.resolve(),
      stderr: (text) => void (err += text),
      isTTY,
    },
  );
  return { code, out, err };
};

const ACTING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const write = async (name: string, content: unknown): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verify-'));
  hub = await TestHub.start();
  document = await hub.export(await hub.gate());
  good = await write('good.json', document);
  bad = await write('bad.json', { ...document, record: { ...document.record, status: 'FAILED' } });
  keys = await write('keys.json', { data: document.keys, envelope: 'COSE_Sign1' });
  server = createServer((request, response) => {
    response.statusCode = request.url === '/v1/verification-keys' ? 200 : 404;
    response.end(JSON.stringify({ data: document.keys }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/verification-keys`;
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

describe('exit 0', () => {
  it('with the keys from a file, a URL, a fingerprint, and it says which', async () => {
    const fingerprint = fingerprintOf(publicKeyFromSpki(hub.spki));
    for (const given of [
      keys,
      url,
      fingerprint,
      `sha256:${fingerprint}`,
      fingerprint.toUpperCase(),
    ]) {
      const { code, out } = await run({ keys: given });
      expect({ given, code }).toEqual({ given, code: 0 });
      expect(out).toMatch(
        /\nVALID: 3 entries, complete as of 2026-11-20T10:00:\d\d\.000Z, verified in \d+ ms\n$/,
      );
      expect(out).toContain(
        given.toLowerCase().includes(fingerprint) ? `sha256:${fingerprint}` : given,
      );
    }
  });

  it('with several keys that all stand in it, each named', async () => {
    const fingerprint = fingerprintOf(publicKeyFromSpki(hub.spki));
    const { code, out } = await run({ keys: [keys, fingerprint] });
    expect(code).toBe(0);
    expect(out).toContain(
      `the key at ${keys} and the key with the fingerprint sha256:${fingerprint}`,
    );
  });

  it('from standard input', async () => {
    const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')!;
    Object.defineProperty(process, 'stdin', {
      value: Readable.from([
        Buffer.from(JSON.stringify(document).slice(0, 100)),
        Buffer.from(JSON.stringify(document).slice(100)),
      ]),
      configurable: true,
    });
    try {
      expect((await run({ file: '-', keys })).code).toBe(0);
    } finally {
      Object.defineProperty(process, 'stdin', stdin);
    }
  });

  it('with the embedded keys, when that is asked for, and it says so', async () => {
    const { code, out } = await run({ trustEmbedded: true });
    expect(code).toBe(0);
    expect(out).toContain('--trust-embedded');
  });
});

describe('exit 1', () => {
  it('names the class, the place and what it means', async () => {
    const { code, out } = await run({ file: bad, keys });
    expect(code).toBe(1);
    expect(out).toContain(
      `CHAIN_PAYLOAD_BINDING_MISMATCH at position 3 of chain ${document.record.id}: ${FAILURE_CLASSES.CHAIN_PAYLOAD_BINDING_MISMATCH.meaning}.`,
    );
    expect(out).toContain('FAILED   What is shown is what was sealed');
    expect(out).toMatch(
      /\nINVALID: 1 failure, the first CHAIN_PAYLOAD_BINDING_MISMATCH at position 3 .*\n$/,
    );
  });

  it('lets no control character of the file reach the terminal', async () => {
    const evil = '\u001b[2J\u001b]0;owned\u0007\u202e\u009b31m';
    const file = await write('evil.json', {
      ...document,
      [evil]: 1,
      chain: {
        ...document.chain,
        chainKey: evil,
        entries: document.chain.entries.map((entry) => ({ ...entry, entryType: evil })),
      },
    });
    const { code, out } = await run({ file, keys });
    expect(code).toBe(1);
    expect(out.replaceAll('\n', '')).not.toMatch(ACTING);
    const json = (await run({ file, keys, json: true })).out;
    expect(json.replaceAll('\n', '')).not.toMatch(ACTING);
    expect(JSON.parse(json)).toMatchObject({ verdict: 'invalid' });
  });

  it('lets none of a file name or a key source through either', async () => {
    const name = await write('a\u009b31m\u202e.json', { ...document, checkpoint: null });
    const other = await write('b\u009b31m.json', '');
    for (const args of [
      { file: name, keys },
      { file: name, keys, json: true },
      { files: [name, other], keys },
      { files: [name, other], keys, json: true },
      { keys: name },
      { keys: `${name}x`, json: true },
    ]) {
      const { out, err } = await run(args);
      expect(`${out}${err}`.replaceAll('\n', ''), JSON.stringify(args)).not.toMatch(ACTING);
    }
    const { files } = JSON.parse((await run({ files: [name, other], keys, json: true })).out) as {
      files: { file: string }[];
    };
    expect(files.map(({ file }) => file)).toEqual([name, other]);
  });
});

describe('exit 2', () => {
  it('without a key, in plain words', async () => {
    const { code, out } = await run({});
    expect(code).toBe(2);
    expect(out).toMatch(
      /\nCANNOT TELL: No key that you trust was given\n {2}The file fits together, .*\n {2}Ask the operator for the fingerprint .* and give it with --keys\.\n$/,
    );
    const { reasons, situations } = JSON.parse((await run({ json: true })).out) as {
      reasons: string[];
      situations: string[];
    };
    expect(reasons).toContain(NO_TRUST);
    expect(situations[reasons.indexOf(NO_TRUST)]).toBe('no_key');
  });

  it('for a file that is no evidence of ours, with a sentence and no list of checks', async () => {
    const text = JSON.stringify(document);
    const contents: [string | Uint8Array, RegExp][] = [
      ['', /the file is empty/],
      ['not JSON', /is no JSON, or only a part of one/],
      [text.slice(0, text.length / 2), /is no JSON, or only a part of one/],
      [`\ufeff${text}`, /begins with a byte-order mark/],
      [Buffer.from(`\ufeff${text}`, 'utf16le'), /is UTF-16/],
      ['[1]', /neither an audit export nor a signed statement/],
      ['{}', /neither an audit export nor a signed statement/],
      ['[{"a":1,"a":2}]', /neither an audit export nor a signed statement/],
      [await readFile(keys), /neither an audit export nor a signed statement/],
      ['{"id":"x","signedStatement":{}}', /its member signedStatement is what can be verified/],
      ['\u0000'.repeat(100), /is no JSON/],
      [Uint8Array.of(0xd2, 0x84, 0xff), /is no sequence of COSE_Sign1/],
    ];
    for (const [content, sentence] of contents) {
      const file = join(folder, 'none.json');
      await writeFile(file, content);
      const { code, out } = await run({ file, keys });
      expect({ content, code }).toEqual({ content, code: 2 });
      expect(out).toMatch(sentence);
      expect(out).toMatch(/\nCANNOT TELL: .+\n {2}.+\n {2}.+\n$/);
      expect(out).not.toContain('skipped');
      expect((await run({ file })).out, 'no word of keys').toBe(out);
    }
  });

  it('for a device that never ends', async () => {
    const { code, err } = await run({ file: '/dev/zero', keys });
    expect(code).toBe(2);
    expect(err).toMatch(/\/dev\/zero cannot be read: it has more than \d+ bytes/);
  });

  it('without the closing checkpoint, be it null or not there', async () => {
    for (const checkpoint of [null, undefined]) {
      const file = await write('open.json', { ...document, checkpoint });
      const { code, out } = await run({ file, keys });
      expect(code).toBe(2);
      expect(out).toContain('  complete  not shown');
      expect(out).toContain('skipped  The export holds the chain to its end');
      expect(out).not.toContain('FAILED');
    }
  });

  it('for the wrong fingerprint, with both fingerprints and what to do', async () => {
    const { code, out } = await run({ keys: `sha256:${'ab'.repeat(32)}` });
    expect(code).toBe(2);
    const own = fingerprintOf(publicKeyFromSpki(hub.spki));
    expect(out).toContain(
      `\nSigned by a different key than the one you trust\n  signed by  sha256:${own}\n  you trust  sha256:${'ab'.repeat(32)}\n`,
    );
    expect(out.match(/^Signed by a different key/gm)).toHaveLength(1);
    expect(out).not.toMatch(/cannot tell/i);
    expect(out).not.toContain('MISSING_KEY');
  });

  it('for a second key that the file does not know, though the first one signed it', async () => {
    const { code, out } = await run({ keys: [keys, `sha256:${'ab'.repeat(32)}`] });
    expect(code).toBe(1);
    expect(out).toContain('CHAIN_KEY_POLICY_VIOLATION');
  });

  it('where the file or the keys cannot be had or are none, on standard error', async () => {
    const cases: Parameters<typeof run>[0][] = [
      { file: join(folder, 'absent.json'), keys },
      { keys: `sha256:${'ab'.repeat(31)}` },
      { files: [good, bad], kept: [good], keys },
      { keys: join(folder, 'absent.json') },
      { keys: good },
      { keys: url.replace('verification', 'other') },
      { keys: 'http://127.0.0.1:1/keys' },
      { keys: await write('empty.json', { data: [] }) },
      { keys: await write('odd.json', { data: [{ publicKey: 'AAAA' }] }) },
      { keys: await write('text.json', 'x') },
      { keys: await write('null.json', { data: [null] }) },
    ];
    for (const args of cases) {
      const { code, out, err } = await run(args);
      expect({ args, code, out }).toEqual({ args, code: 2, out: '' });
      expect(err).toMatch(/^notary verify: .+\n$/);
    }
  });
});

describe('the report says', () => {
  it('as of when the chain is complete, by the checkpoint and not by the export', async () => {
    const { out } = await run({ keys });
    expect(out).toContain(`  complete  as of ${document.checkpoint!.createdAt}\n`);
    expect(out).not.toContain(document.exportedAt);
    // A checkpoint that covers less than the chain proves no end.
    const file = await write('short.json', { ...document, checkpoint: document.checkpoints[0] });
    expect((await run({ file, keys })).out).toContain('  complete  not shown\n');
  });

  it('how many of the sealed pieces of evidence are in the file, and which are not', async () => {
    expect((await run({ keys })).out).toContain('  evidence  1 of 1 pieces in the file\n');
    const bare = structuredClone(document) as unknown as {
      chain: { entries: { evidence?: unknown }[] };
    };
    for (const entry of bare.chain.entries) delete entry.evidence;
    const { code, out } = await run({ file: await write('bare.json', bare), keys });
    expect(code).toBe(0);
    expect(out).toMatch(
      / {2}evidence {2}0 of 1 pieces in the file; not in the file: position 2 \(COMPLETION_SUBMITTED, sha256 [0-9a-f]{64}\)\n/,
    );
    expect(out).toContain('skipped  Evidence and content in the file are what was sealed');
  });
});

describe('several files, or a folder', () => {
  let many: string;
  let statement: string;
  beforeAll(async () => {
    many = await mkdtemp(join(folder, 'many-'));
    const chain = await hub.gate();
    const [first, second, third] = ['1.json', '2.json', '3.json'].map((name) => join(many, name));
    await writeFile(first!, JSON.stringify(await hub.export(chain)));
    await writeFile(second!, '{}');
    statement = third!;
    await writeFile(statement, JSON.stringify(hub.kept(chain, 2)));
    await writeFile(join(many, 'readme.txt'), 'no evidence');
  });

  it('end in a line each; the exit code is the worst', async () => {
    const all = await run({ files: [many], keys });
    expect(all.code).toBe(2);
    expect(all.out).toMatch(
      / VALID {8}\S+1\.json {2}FULFILLED "invoice-approval", 3 entries, complete as of \S+, 1 of 1 piece/,
    );
    expect(all.out).toMatch(/ CANNOT TELL {2}\S+2\.json {2}cannot tell: the file is JSON, but/);
    expect(all.out).toMatch(
      / VALID {8}\S+3\.json {2}1 entry, signed, not shown to be on a chain\n/,
    );
    expect(all.out).toMatch(/ 3 files in \d+ ms: 2 valid, 0 invalid, 1 cannot be told\n$/);
    const other = await run({ files: [many], keys: `sha256:${'ab'.repeat(32)}` });
    expect(other.code).toBe(2);
    expect(other.out).toMatch(
      / OTHER KEY {4}\S+1\.json {2}Signed by a different key than the one you trust: by sha256:[0-9a-f]{64}; you trust sha256:(ab){32}\n/,
    );
    expect(other.out).toMatch(
      / CANNOT TELL {2}\S+3\.json {2}cannot tell: a signed statement holds no key/,
    );
    const worse = await run({ files: [many, bad, join(folder, 'absent.json')], keys });
    expect(worse.code).toBe(1);
    expect(worse.out).toContain(' INVALID ');
    expect(worse.out).toMatch(/absent\.json +the file \S+absent\.json cannot be read/);
    expect((await run({ files: [good, statement], keys })).code).toBe(0);
  });

  it('are one document with --json, a folder of one file too', async () => {
    const { code, out } = await run({ files: [many, bad], keys, json: true });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      exitCode: 1,
      summary: { valid: 2, invalid: 1, cannot_tell: 1 },
      files: [
        { file: join(many, '1.json'), verdict: 'valid', subject: { entries: 3 } },
        { verdict: 'cannot_tell', subject: { kind: null } },
        { verdict: 'valid', subject: { kind: 'signed-statement' } },
        { file: bad, verdict: 'invalid', brokenAt: { position: 3 } },
      ],
    });
    const single = await mkdtemp(join(folder, 'single-'));
    await writeFile(join(single, 'only.json'), JSON.stringify(document));
    expect(JSON.parse((await run({ files: [single], keys, json: true })).out)).toMatchObject({
      exitCode: 0,
      files: [{ verdict: 'valid' }],
    });
  });

  it('a folder without any: 2, in a sentence', async () => {
    const empty = await mkdtemp(join(folder, 'empty-'));
    const { code, err } = await run({ files: [empty], keys });
    expect(code).toBe(2);
    expect(err).toContain('holds no file *.json');
  });
});

describe('a file of thousands of lines', () => {
  let many: string;
  beforeAll(async () => {
    const forged = JSON.stringify(JSON.parse(await readFile(bad, 'utf8')));
    const lines = ['{"a":1}\n'.repeat(1_000), `${forged}\n`.repeat(30), JSON.stringify(document)];
    many = await write('many.ndjson', lines.join(''));
  });

  it('has the first 20 of each kind that is not valid in its report, and a count', async () => {
    const { code, out } = await run({ file: many, keys, json: true });
    expect(code).toBe(1);
    const { summary, files, omitted } = JSON.parse(out);
    expect(summary).toEqual({ valid: 1, invalid: 30, cannot_tell: 1_000 });
    expect(omitted).toEqual([
      { verdict: 'cannot_tell', class: null, count: 980 },
      { verdict: 'invalid', class: 'CHAIN_PAYLOAD_BINDING_MISMATCH', count: 10 },
    ]);
    expect(files).toHaveLength(41);
    expect(files.at(-1)).toMatchObject({ file: `${many}:1031`, verdict: 'valid' });
  });

  it('says so in words', async () => {
    const { out } = await run({ file: many, keys });
    expect(out.split('\n')).toHaveLength(41 + 2 + 5);
    expect(out).toContain('and 980 more that cannot be told\n');
    expect(out).toContain(
      'and 10 more invalid, the first failure of each is CHAIN_PAYLOAD_BINDING_MISMATCH\n',
    );
    expect(out).toContain('1031 files in');
  });
});

describe('a file of hundreds of valid lines', () => {
  it('has the first 300 of them in its report, and counts all', async () => {
    const line = `${JSON.stringify(document)}\n`;
    const file = await write('valid.ndjson', line.repeat(310));
    const { code, out } = await run({ file, keys, json: true });
    expect(code).toBe(0);
    const { summary, files, omitted, coverage } = JSON.parse(out);
    expect(summary).toEqual({ valid: 310, invalid: 0, cannot_tell: 0 });
    expect(files).toHaveLength(300);
    expect(omitted).toEqual([{ verdict: 'valid', class: null, count: 10 }]);
    expect(coverage).toMatchObject({ chains: 1, repeated: 309 });
    expect((await run({ file, keys })).out).toContain('and 10 more valid\n');
  });
});

describe('--kept', () => {
  it('says what became of each statement, and the exit code follows', async () => {
    const chain = await hub.gate();
    const file = await write('whole.json', await hub.export(chain));
    const own = await write('own.json', hub.kept(chain, 2));
    const foreign = await write('foreign.json', hub.kept(await hub.notarize(), 1));
    const held = await run({ file, keys, kept: [own] });
    expect(held.code).toBe(0);
    expect(held.out).toContain('passed   Kept statements stand in the chain (1 statement)');
    const open = await run({ file, keys, kept: [own, foreign] });
    expect(open.code).toBe(2);
    expect(open.out).toContain(`skipped  ${foreign}: the kept statement is of another record`);
    expect(open.out).toMatch(/\nVALID: 3 entries, .*but a kept statement cannot be told/);
    expect(
      JSON.parse((await run({ file, keys, kept: [own, foreign], json: true })).out),
    ).toMatchObject({
      verdict: 'valid',
      exitCode: 2,
      kept: [
        { file: own, result: 'passed' },
        { file: foreign, result: 'skipped_no_input' },
      ],
    });
  });
});

describe('--json', () => {
  it('prints the report, whatever the verdict', async () => {
    expect(JSON.parse((await run({ keys, json: true })).out)).toMatchObject({
      verdict: 'valid',
      exitCode: 0,
      brokenAt: null,
      trustSource: expect.stringContaining(keys),
      checks: { signatures: { result: 'passed', count: 6 } },
      subject: { entries: 3 },
    });
    expect(JSON.parse((await run({ file: bad, keys, json: true })).out)).toMatchObject({
      verdict: 'invalid',
      exitCode: 1,
      brokenAt: { class: 'CHAIN_PAYLOAD_BINDING_MISMATCH' satisfies FailureClass, position: 3 },
    });
    expect(JSON.parse((await run({ file: 'absent', keys, json: true })).out)).toMatchObject({
      verdict: 'cannot_tell',
      exitCode: 2,
      reasons: [expect.stringContaining('absent')],
    });
  });
});

describe('colour', () => {
  it('only where somebody reads along, or it is asked for', async () => {
    const coloured = /\p{Cc}\[3/u;
    expect((await run({ keys })).out).not.toMatch(coloured);
    expect((await run({ keys }, true)).out).toMatch(coloured);
    expect((await run({ keys, colour: false }, true)).out).not.toMatch(coloured);
    expect((await run({ keys, colour: true })).out).toMatch(coloured);
  });
});
