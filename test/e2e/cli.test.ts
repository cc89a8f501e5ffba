import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../support/service/service-process.ts';
import { freshSecrets } from '../support/databases/stored-chains.ts';
import { createWorld, ok, type Body } from '../support/service/world.ts';

const service = new ServiceProcess();
const file = (name: string): string => join(service.directory, name);
let fingerprint: string;
let text: string;
let kept: unknown;

beforeAll(async () => {
  const first = await service.bootstrap();
  fingerprint = first.signingKeyFingerprint;
  await service.start();
  const { principal, performer, platform } = await createWorld(service.url, first.apiKey);
  const record = await ok(
    principal.client.post('/v1/records', {
      type: 'job',
      criteria: { goal: 'g', threshold: 5 },
      performerAgentId: performer.id,
      autoActivate: true,
    }),
  );
  kept = record['signedStatement'];
  const completion = await ok(
    performer.client.post(`/v1/records/${record['id']}/completions`, { evidence: { score: 7 } }),
  );
  await ok(
    principal.client.post(`/v1/records/${record['id']}/verdict`, {
      verdict: 'accept',
      completionId: completion['id'],
    }),
  );
  const answer = await fetch(
    `${service.url}/v1/records/${record['id']}/audit-export?evidence=true`,
    { headers: { authorization: `Bearer ${platform.key}` } },
  );
  text = await answer.text();
  writeFileSync(file('export.json'), text);
  writeFileSync(file('tampered.json'), text.replace('"score":7', '"score":8'));
  writeFileSync(
    file('keys.json'),
    await (await fetch(`${service.url}/v1/verification-keys`)).text(),
  );
});
afterAll(async () => {
  await service.stop();
  rmSync(service.directory, { recursive: true, force: true });
});

const verify = (...args: readonly string[]): ReturnType<ServiceProcess['run']> =>
  service.run('verify', ...args);

describe('notary verify', () => {
  it.each<[string, () => string]>([
    ['a file of keys', () => file('keys.json')],
    ['the fingerprint that bootstrap showed', () => fingerprint],
    ['the fingerprint with its prefix', () => `sha256:${fingerprint}`],
    ['the address of the keys', () => `${service.url}/v1/verification-keys`],
    [
      'the well-known address of the keys',
      () => `${service.url}/.well-known/service-vault-keys.json`,
    ],
  ])('exits 0 on a genuine export, given %s', async (_what, keys) => {
    const { code, stdout, stderr } = await verify(file('export.json'), '--keys', keys());
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/VALID: 4 entries/);
    expect(stdout, 'no colour where nobody reads along').not.toContain('\u001b[');
  });

  it('exits 1 on a tampered export and names the class of the failure and its place', async () => {
    const { code, stdout } = await verify(file('tampered.json'), '--keys', fingerprint);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /INVALID: 1 failure, the first CHAIN_PAYLOAD_BINDING_MISMATCH at position 2/,
    );
  });

  it('exits 2 where the key given is another one, and names both', async () => {
    const { code, stdout } = await verify(
      file('export.json'),
      '--keys',
      `sha256:${'ab'.repeat(32)}`,
    );
    expect(code).toBe(2);
    expect(stdout).toContain(
      `\n  signed by  sha256:${fingerprint}\n  you trust  sha256:${'ab'.repeat(32)}\n`,
    );
  });

  it('holds a kept signedStatement against the export, and verifies it alone', async () => {
    writeFileSync(file('kept.json'), JSON.stringify(kept));
    const held = await verify(
      file('export.json'),
      '--keys',
      fingerprint,
      '--kept',
      file('kept.json'),
    );
    expect([held.code, held.stderr]).toEqual([0, '']);
    expect(held.stdout).toContain('passed   Kept statements stand in the chain (1 statement)');
    const alone = await verify(file('kept.json'), '--keys', file('keys.json'));
    expect(alone.code).toBe(0);
    expect(alone.stdout).toContain('VALID: 1 entry, signed, not shown to be on a chain');
  });

  it('verifies a folder, with a line each', async () => {
    mkdirSync(file('folder'));
    for (const name of ['export.json', 'tampered.json'])
      copyFileSync(file(name), join(file('folder'), name));
    const { code, stdout } = await verify(file('folder'), '--keys', fingerprint);
    expect(code).toBe(1);
    expect(stdout).toContain('2 files in');
    expect(stdout).toContain('1 valid, 1 invalid, 0 cannot be told');
  });

  it('exits 2 in plain words where no key is given, and 0 with --trust-embedded', async () => {
    const blind = await verify(file('export.json'));
    expect(blind.code).toBe(2);
    expect(blind.stdout).toMatch(/\nCANNOT TELL: No key that you trust was given\n/);
    expect((await verify(file('export.json'), '--trust-embedded')).code).toBe(0);
  });

  it('exits 2 where the file, or the file of keys, is not there', async () => {
    const lost = await verify(file('nowhere.json'), '--keys', fingerprint);
    expect([lost.code, lost.stderr]).toEqual([2, expect.stringContaining('nowhere.json')]);
    const keyless = await verify(file('export.json'), '--keys', file('nokeys.json'));
    expect([keyless.code, keyless.stderr]).toEqual([2, expect.stringContaining('nokeys.json')]);
  });

  it('exits 2 where the address of the keys does not answer', async () => {
    const { code, stderr } = await verify(file('export.json'), '--keys', 'http://127.0.0.1:1/keys');
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be fetched')]);
  });

  it('reads an export from standard input', async () => {
    const fed = (input: string): Promise<number | null> =>
      new Promise((resolve) => {
        const child = spawn(
          process.execPath,
          ['dist/config/main.js', 'verify', '-', '--keys', fingerprint],
          { stdio: ['pipe', 'ignore', 'ignore'] },
        );
        child.once('close', resolve);
        child.stdin.end(input);
      });
    expect(await fed(text)).toBe(0);
    expect(await fed(text.replace('"score":7', '"score":8'))).toBe(1);
  });

  it('with --json prints a report that a program can read, for each of the three answers', async () => {
    const report = async (...args: readonly string[]): Promise<[number | null, Body]> => {
      const { code, stdout } = await verify(...args, '--json');
      return [code, JSON.parse(stdout) as Body];
    };
    expect(await report(file('export.json'), '--keys', fingerprint)).toEqual([
      0,
      expect.objectContaining({ verdict: 'valid', exitCode: 0, failures: [], brokenAt: null }),
    ]);
    expect(await report(file('tampered.json'), '--keys', fingerprint)).toEqual([
      1,
      expect.objectContaining({
        verdict: 'invalid',
        exitCode: 1,
        brokenAt: expect.objectContaining({ class: 'CHAIN_PAYLOAD_BINDING_MISMATCH', position: 2 }),
      }),
    ]);
    expect(await report(file('export.json'))).toEqual([
      2,
      expect.objectContaining({ verdict: 'cannot_tell', exitCode: 2 }),
    ]);
    expect(await report(file('nowhere.json'), '--keys', fingerprint)).toEqual([
      2,
      expect.objectContaining({ verdict: 'cannot_tell', exitCode: 2 }),
    ]);
  });
});

describe('notary config', () => {
  it('prints every setting with the secrets masked, as text and as JSON', async () => {
    const secrets = freshSecrets();
    const configured = new ServiceProcess(
      { ...secrets, DATABASE_URL: 'mysql://app:hunter2@db.example:3306/notary' },
      service.directory,
    );
    const plain = await configured.run('config');
    const json = await configured.run('config', '--json');
    expect([plain.code, json.code]).toEqual([0, 0]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      RATE_LIMIT_AGENT: 0,
    });
    expect(plain.stdout).toContain('HOST=127.0.0.1\n');
    for (const { stdout, stderr } of [plain, json]) {
      for (const secret of [...Object.values(secrets), 'hunter2'])
        expect(stdout + stderr).not.toContain(secret);
      expect(stdout).toContain('db.example');
      for (const name of Object.keys(secrets)) expect(stdout).toContain(name);
    }
  });
});

describe('notary', () => {
  it('lists its commands with --help and exits 0', async () => {
    const { code, stdout } = await service.run('--help');
    expect(code).toBe(0);
    for (const command of ['serve', 'bootstrap', 'migrate', 'config', 'verify', 'demo'])
      expect(stdout).toMatch(new RegExp(`^ +${command}\\b`, 'm'));
  });

  it('explains every command with --help and exits 0; the exit codes of verify are documented there', async () => {
    for (const command of ['serve', 'bootstrap', 'migrate', 'config', 'verify', 'demo']) {
      const { code, stdout, stderr } = await service.run(command, '--help');
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain(`Usage: notary ${command}`);
      if (command === 'verify') expect(stdout).toMatch(/0: valid, 1: invalid, 2:\s+cannot tell/);
    }
  });

  it('refuses a command or an option that it does not know with exit code 2, naming the nearest', async () => {
    const command = await service.run('verfy', 'x');
    expect([command.code, command.stdout]).toEqual([2, '']);
    expect(command.stderr).toMatch(/unknown command 'verfy'[\s\S]*verify/);
    const option = await service.run('verify', 'x', '--kees', 'y');
    expect(option.code).toBe(2);
    expect(option.stderr).toMatch(/unknown option '--kees'[\s\S]*--keys/);
    expect((await service.run('verify')).code).toBe(2);
  });

  it('prints its version, and the commit that it was built of', async () => {
    const { code, stdout } = await service.run('--version');
    const version = /^\d+\.\d+\.\d+(\+[\da-f]{12}(\.changed)?)?\n$/;
    expect([code, stdout]).toEqual([0, expect.stringMatching(version)]);
  });

  it('demo shows the main job, ends with a tampered copy refused, and exits 0 within 60 s, plainly where it is no terminal', async () => {
    const started = performance.now();
    const { code, stdout, stderr } = await service.run('demo');
    const seconds = (performance.now() - started) / 1000;
    console.log(`demo: ${seconds.toFixed(1)} s`);
    expect([code, stderr]).toEqual([0, '']);
    expect(seconds).toBeLessThan(60);
    expect(stdout).not.toContain('\u001b[');
    for (const said of [
      /org with two agents/,
      /Notarize/,
      /the performer accepts/,
      /the principal accepts/,
      /exported/,
      /verifies it offline/,
      /refused: CHAIN_[A-Z_]+/,
      /Everything held/,
    ])
      expect(stdout).toMatch(said);
  });
});
