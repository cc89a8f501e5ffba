import { createServer, type Server } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runVerify, type VerifyArguments } from '../../../adapters/cli/verify.ts';
import { fingerprintOf, publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import type { AuditExport } from '../../../domain/verification/audit-export.ts';
import { FAILURE_CLASSES, type FailureClass } from '../../../domain/verification/failure.ts';
import { NO_TRUST } from '../../../domain/verification/verify-audit-export.ts';
import { TestHub } from '../../support/make-export.ts';

let folder: string;
let hub: TestHub;
let document: AuditExport;
let good: string;
let bad: string;
let keys: string;
let server: Server;
let url: string;

const run = async (
  args: Omit<VerifyArguments, 'file'> & { file?: string },
  isTTY = false,
): Promise<{ code: number; out: string; err: string }> => {
  let [out, err] = ['', ''];
  const code = await runVerify(
    { file: good, ...args },
    { stdout: (text) => void (out += text), stderr: (text) => void (err += text), isTTY },
  );
  return { code, out, err };
};

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
      expect(out).toMatch(/\nVALID: 3 entries, verified in \d+ ms\n$/);
      expect(out).toContain(
        given.toLowerCase().includes(fingerprint) ? `sha256:${fingerprint}` : given,
      );
    }
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

  it('for a file that is no export', async () => {
    for (const content of ['', 'not JSON', '[]', '{}', '\u0000'.repeat(100)]) {
      const { code, out } = await run({ file: await write('none.json', content), keys });
      expect(code).toBe(1);
      expect(out).toContain('CHAIN_COSE_DECODE_FAILED');
    }
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
    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

describe('exit 2', () => {
  it('without a key, in plain words', async () => {
    const { code, out } = await run({});
    expect(code).toBe(2);
    expect(out).toContain(NO_TRUST);
    expect(out).toMatch(
      /\nCANNOT TELL: give the keys of the hub, obtained from elsewhere, with --keys\n$/,
    );
  });

  it('where the file or the keys cannot be had or are none, on standard error', async () => {
    const cases: Partial<VerifyArguments>[] = [
      { file: join(folder, 'absent.json'), keys },
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
