import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { processesOf } from '../support/service/processes-of.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { createWorld, ok, type Body } from '../support/service/world.ts';

/** What a user gets: the packed package in an empty folder, with its production dependencies and no others. */
const folder = mkdtempSync(join(tmpdir(), 'notary-packed-'));
const home = join(folder, 'home');
const notary = join(home, 'node_modules', '.bin', 'notary');
const service = new ServiceProcess({}, join(folder, 'service'), {
  command: notary,
  args: [],
  cwd: home,
});

const npm = (cwd: string, ...args: readonly string[]): Promise<{ readonly stdout: string }> =>
  promisify(execFile)('npm', args, { cwd, maxBuffer: 16_777_216 });

beforeAll(async () => {
  // The build is there already; to build again would change it under the other process tests.
  const { stdout } = await npm(
    '.',
    'pack',
    '--ignore-scripts',
    '--json',
    '--pack-destination',
    folder,
  );
  const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }];
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{"private":true}');
  await npm(
    home,
    'install',
    '--omit=dev',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    join(folder, filename),
  );
}, 180_000);
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = async (...args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await service.run(...args);
  expect(code, stderr).toBe(0);
  return stdout;
};

/** A program beside the package, by the names that it exports. */
const withClient = async (
  url: string,
  credential: string,
  fingerprint: string,
): Promise<string> => {
  const program = `
import { NotaryClient } from 'notary-service/client';
import { verify } from 'notary-service/client/verify';
const notary = new NotaryClient(${JSON.stringify({ url, credential })});
const { id, status } = await notary.notarize({ type: 'note', criteria: {} });
const { verdict } = await verify(await notary.export(id), ${JSON.stringify({ fingerprint })});
console.log(status, verdict);
`;
  writeFileSync(join(home, 'program.mjs'), program);
  const { stdout } = await promisify(execFile)(process.execPath, ['program.mjs'], { cwd: home });
  return stdout.trim();
};

describe('the packed package', () => {
  it('is installed without what only its development needs', () => {
    const installed = (name: string): boolean => existsSync(join(home, 'node_modules', name));
    expect(Object.keys(packageJson.dependencies).filter((name) => !installed(name))).toEqual([]);
    expect(
      [
        'typescript',
        'vitest',
        'eslint',
        'prettier',
        'tsx',
        'openapi-typescript',
        'openapi-fetch',
        '@hey-api/openapi-ts',
      ].filter(installed),
    ).toEqual([]);
    expect(existsSync(join(home, 'node_modules', packageJson.name, 'test'))).toBe(false);
  });

  it('shows its settings, makes its tables, and bootstraps', async () => {
    expect(JSON.parse(await run('config', '--json'))).toEqual(expect.any(Object));
    await run('migrate');
    const { apiKey } = await service.bootstrap();
    expect(apiKey).toMatch(/^svc_plt_/);
    expect(await run('--version')).toContain(packageJson.version);
  });
});

describe('the service of the packed package', () => {
  it('is started by the shell client, which seals a file and verifies it', async () => {
    const place = join(folder, 'local');
    const { pid } = JSON.parse(await run('init', '--directory', place, '--json')) as Body;
    try {
      const file = join(folder, 'a.txt');
      writeFileSync(file, 'a');
      expect(await run('notarize', '--digest', file)).toContain('verified  signed by sha256:');
    } finally {
      process.kill(Number(pid), 'SIGTERM');
      await expect.poll(() => processesOf(place)).toEqual([]);
    }
  });

  it('answers its probes, writes a record that verifies offline, and stops on SIGTERM', async () => {
    const fresh = new ServiceProcess({}, join(folder, 'serving'), {
      command: notary,
      args: [],
      cwd: home,
    });
    const { apiKey, signingKeyFingerprint } = await fresh.bootstrap();
    await fresh.start();
    expect((await fetch(`${fresh.url}/readyz`)).status).toBe(200);
    expect((await fetch(`${fresh.url}/livez`)).status).toBe(200);
    const { principal } = await createWorld(fresh.url, apiKey);
    expect(await withClient(fresh.url, String(principal.client.key), signingKeyFingerprint)).toBe(
      'RECORDED valid',
    );
    const { id } = await ok(principal.client.post('/v1/records', { type: 'note', criteria: {} }));
    const { body } = await principal.client.get(
      `/v1/records/${String(id)}/audit-export?evidence=true`,
    );
    const file = join(folder, 'export.json');
    writeFileSync(file, JSON.stringify(body));
    expect(await run('verify', file, '--keys', signingKeyFingerprint)).toContain('VALID: 1 entry');
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(String(id), signingKeyFingerprint.slice(0, 36)),
    );
    expect((await service.run('verify', file, '--keys', signingKeyFingerprint)).code).toBe(1);
    expect(await fresh.stop()).toBe(0);
  });
});
