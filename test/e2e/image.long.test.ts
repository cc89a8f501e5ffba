import { execFile, spawn, type ChildProcess } from 'node:child_process';
import {
  chownSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/service/free-port.ts';
import { stagesOf } from '../support/runner/dockerfile.ts';
import { freshSecrets } from '../support/databases/stored-chains.ts';
import { secretWatch } from '../support/runner/secret-watch.ts';

/**
 * The steps of the Dockerfile, by hand: its own command installs the production dependencies, its ENV, USER, HEALTHCHECK,
 * ENTRYPOINT and CMD are what runs. The user has no right to write but in the two volumes.
 */
const stages = stagesOf('Dockerfile');
const [, production, final] = stages;
const NOBODY = 65_534;

const folder = mkdtempSync(join(tmpdir(), 'notary-image-'));
const app = join(folder, 'app');
const volumes = ['/var/lib/notary', '/var/lib/notary-anchors'];
const secrets = freshSecrets();
let child: ChildProcess | null = null;

const textsOf = (stage: (typeof stages)[number] | undefined, name: string): readonly string[] =>
  stage!.filter((instruction) => instruction.name === name).map(({ text }) => text);

const inFolder = (path: string): string => join(folder, path);

const environment = (port: number): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  ...Object.fromEntries(
    textsOf(final, 'ENV').map((text) => {
      const [name, value] = text.split('=') as [string, string];
      return [name, value.startsWith('/') ? inFolder(value) : value];
    }),
  ),
  ...secrets,
  HOST: '127.0.0.1',
  PORT: String(port),
  GRPC_PORT: 'off',
  TMPDIR: '/nowhere',
});

const closed = (path: string): void => {
  for (const name of readdirSync(path, { recursive: true }) as string[]) {
    const one = join(path, name);
    if (statSync(one, { throwIfNoEntry: false })?.isDirectory()) chmodSync(one, 0o555);
  }
  chmodSync(path, 0o555);
};

beforeAll(async () => {
  chmodSync(folder, 0o755);
  mkdirSync(app);
  for (const text of textsOf(production, 'COPY')) {
    const parts = text.split(' ').filter((part) => !part.startsWith('--from='));
    const target = parts.pop()!;
    for (const part of parts) {
      const source = part.replace(/^\/src\//, '');
      cpSync(source, join(app, target === './' ? source : target), { recursive: true });
    }
  }
  const [install] = textsOf(production, 'RUN');
  await promisify(execFile)('bash', ['-c', `${install} --prefer-offline`], {
    cwd: app,
    maxBuffer: 16_777_216,
  });
  closed(app);
  for (const volume of volumes) {
    mkdirSync(dirname(inFolder(volume)), { recursive: true });
    mkdirSync(inFolder(volume), { mode: 0o700 });
    chownSync(inFolder(volume), NOBODY, NOBODY);
  }
}, 240_000);
afterAll(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const started = (args: readonly string[], port: number): ChildProcess =>
  spawn(process.execPath, [join(app, 'dist/config/main.js'), ...args], {
    cwd: app,
    env: environment(port),
    uid: NOBODY,
    gid: NOBODY,
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const ended = async (
  process: ChildProcess,
): Promise<{ code: number | null; output: string; errors: string }> => {
  let [output, errors] = ['', ''];
  process.stdout!.on('data', (part: Buffer) => (output += part.toString()));
  process.stderr!.on('data', (part: Buffer) => (errors += part.toString()));
  const code = await new Promise<number | null>((done, fail) =>
    process.once('close', done).once('error', fail),
  );
  return { code, output, errors };
};

describe('the Dockerfile', () => {
  it('ends in a stage with a user without rights, whose program is the one of the package', () => {
    expect(textsOf(final, 'USER')).toEqual(['node']);
    expect(textsOf(final, 'VOLUME')).toEqual([volumes.join(' ')]);
    expect(textsOf(final, 'ENTRYPOINT')).toEqual(['["notary"]']);
    expect(textsOf(final, 'CMD')).toEqual(['["serve"]']);
    expect(textsOf(final, 'RUN').join()).toContain(
      '/app/dist/config/main.js /usr/local/bin/notary',
    );
    expect(
      stages.flat().some(({ name, text }) => name === 'ADD' || /secret|token/i.test(text)),
    ).toBe(false);
  });
});

describe.skipIf(process.getuid?.() !== 0)(
  'the image, by hand (skipped where this user cannot become another one)',
  () => {
    it('holds the dependencies of production alone', () => {
      const installed = (name: string): boolean => existsSync(join(app, 'node_modules', name));
      expect(['typescript', 'vitest', 'esbuild', '@bufbuild/buf'].filter(installed)).toEqual([]);
      expect(
        ['knex', 'mysql2', '@photostructure/sqlite'].filter((name) => !installed(name)),
      ).toEqual([]);
    });

    it('serves as a user who may write its volumes alone; its health check passes; SIGTERM ends it', async () => {
      const port = await freePort();
      const bootstrap = await ended(started(['bootstrap', '--json'], port));
      expect(bootstrap.code, bootstrap.errors).toBe(0);
      secretWatch.learn('an API key', (JSON.parse(bootstrap.output) as { apiKey: string }).apiKey);

      const [check] = textsOf(final, 'HEALTHCHECK');
      const command = JSON.parse(check!.slice(check!.indexOf('['))) as string[];
      const healthy = (): Promise<number> =>
        promisify(execFile)(process.execPath, command.slice(1), { env: environment(port) }).then(
          () => 0,
          ({ code }: { code: number }) => code,
        );
      expect(await healthy()).toBe(1);

      child = started(['serve'], port);
      const end = new Promise<number | null>((done) => child!.once('close', done));
      await new Promise<void>((ready, reject) => {
        child!.once('close', () => reject(new Error('the service ended')));
        createInterface({ input: child!.stdout! }).on('line', (line) => {
          if (line.includes('"msg":"ready"')) ready();
        });
      });
      expect(await healthy()).toBe(0);
      child.kill('SIGTERM');
      expect(await end).toBe(0);

      expect(readdirSync(inFolder('/var/lib/notary'))).toContain('notary.sqlite');
      expect(readdirSync(app).toSorted()).toEqual([
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'dist',
        'node_modules',
        'package-lock.json',
        'package.json',
      ]);
      expect(statSync(inFolder('/var/lib')).uid).toBe(0);
    });
  },
);
