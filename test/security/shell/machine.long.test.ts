import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FlakyService, json } from '../../support/peers/flaky-service.ts';
import { ShellHome } from '../../support/service/shell-home.ts';
import { hasTools } from '../../support/runner/tools.ts';

/** The machine that a shell runs on: its files, its signals, its environment, and two commands at once. */
let home: ShellHome;
let fake: FlakyService;
beforeAll(async () => {
  fake = await FlakyService.open();
});
afterAll(() => fake.stop());
beforeEach(() => {
  home = new ShellHome();
  fake.seen.length = 0;
  fake.behave = (response) => json(response, 200, {});
});
afterEach(() => home.end());

const context = (apiKey = 'svc_agt_one', url = fake.url): object => ({
  url,
  fingerprint: null,
  role: 'agent',
  orgId: null,
  agentId: null,
  directory: null,
  credential: { kind: 'api-key', apiKey, keyId: 'k', expiresAt: null },
});
const write = (...keys: readonly string[]): void => {
  mkdirSync(join(home.profilePath, '..'), { recursive: true });
  const contexts = Object.fromEntries(keys.map((key, at) => [`c${at}`, context(key)]));
  writeFileSync(home.profilePath, JSON.stringify({ version: 1, current: 'c0', contexts }), {
    mode: 0o600,
  });
};

describe('a key', () => {
  it.each(['svc_agt_secret\nsvc_agt_second', 'svc_agt_secret\u201d', '\u0007svc_agt_secret'])(
    'that no header can hold stands in no error: %j',
    async (apiKey) => {
      const env = { NOTARY_API_KEY: apiKey, NOTARY_URL: fake.url };
      const id = '01a00000-0000-7000-8000-000000000000';
      for (const args of [
        ['whoami'],
        ['list', '--json'],
        ['export', id],
        ['show', `${fake.url}/x`],
      ]) {
        const { code, stdout, stderr } = await home.run(args, { env });
        expect([args, code]).toEqual([args, expect.not.stringMatching(/^0$/)]);
        expect(stdout + stderr).not.toContain('secret');
        expect(stderr + stdout).toContain('credential');
      }
      expect(fake.seen).toEqual([]);
    },
  );

  it.each(['', '.', 'below'])(
    'is kept in no directory that a command happens to run in: HOME=%j',
    async (HOME) => {
      const { code, stderr } = await home.run(['init', fake.url], {
        env: { HOME, NOTARY_API_KEY: 'k' },
      });
      expect([code, stderr]).toEqual([1, expect.stringContaining('no home directory')]);
      expect(readdirSync(home.directory)).toEqual([]);
    },
  );
});

describe('a profile', () => {
  it.skipIf(!hasTools('mkfifo'))('that is a pipe holds no command up', async () => {
    const elsewhere = join(home.directory, 'elsewhere');
    mkdirSync(join(elsewhere, 'notary'), { recursive: true });
    spawnSync('mkfifo', ['-m', '600', join(elsewhere, 'notary', 'profile.json')]);
    const env = { XDG_CONFIG_HOME: elsewhere };
    const { code, stderr } = await home.run(['contexts'], { env });
    expect([code, stderr]).toEqual([3, expect.stringContaining('is no file')]);
  });

  it.skipIf(!hasTools('mkfifo'))('rotates no key but the one that it began with', async () => {
    write('svc_agt_one', 'svc_agt_other');
    // Whoever looks whose the lock is waits at this pipe, and has opened its session by then.
    const lock = `${home.profilePath}.lock`;
    spawnSync('mkfifo', ['-m', '600', lock]);
    const rotating = home.run(['keys', 'rotate']);
    const looked = await open(lock, 'w');
    write('svc_agt_two', 'svc_agt_other');
    const before = readFileSync(home.profilePath, 'utf8');
    rmSync(lock);
    await looked.writeFile('0');
    await looked.close();
    const { code, stderr } = await rotating;
    expect([code, stderr]).toEqual([1, expect.stringContaining('Another command changed')]);
    expect(fake.seen).toEqual([]);
    expect(readFileSync(home.profilePath, 'utf8')).toBe(before);
  });

  it('gets the new key although the command is told to end while the service makes it', async () => {
    write('svc_agt_one');
    let child: ReturnType<ShellHome['spawn']> | null = null;
    fake.behave = (response) => {
      child?.kill('SIGINT');
      child?.kill('SIGTERM');
      // Only once the signals were there, so that they come before the answer.
      setTimeout(
        () =>
          json(response, 201, {
            apiKey: 'svc_agt_new',
            keyId: 'n',
            expiresAt: null,
            previousKeyId: 'k',
            previousKeyDeactivatesAt: '2026-01-01T00:00:00Z',
          }),
        300,
      );
    };
    child = home.spawn(['keys', 'rotate', '--grace', '0']);
    const [code] = (await once(child, 'close')) as [number | null];
    expect(code).toBe(0);
    expect(home.profile['contexts'].c0.credential.apiKey).toBe('svc_agt_new');
  });
});

describe('a command that waits for a key on standard input', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'ends by %s, and holds no profile',
    async (signal) => {
      fake.behave = (response) =>
        json(response, 200, { data: [{ status: 'active', publicKey: 'AAAA' }] });
      const child = home.spawn(['init', fake.url, '--key-stdin']);
      const ended = once(child, 'close');
      await expect.poll(() => existsSync(`${home.profilePath}.lock`)).toBe(true);
      await expect.poll(() => fake.seen.length).toBe(1);
      child.kill(signal);
      expect((await ended)[0]).toBeGreaterThan(128);
      expect(existsSync(`${home.profilePath}.lock`)).toBe(false);
    },
  );
});

describe('a service of this machine', () => {
  it('is not started in a directory that others can write into', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'notary-shared-'));
    try {
      for (const mode of [0o777, 0o770, 0o1777]) {
        chmodSync(directory, mode);
        const { code, stderr } = await home.run(['init', '--directory', directory]);
        expect([code, stderr]).toEqual([1, expect.stringContaining('chmod 700')]);
        expect(readdirSync(directory)).toEqual([]);
      }
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

describe('an id of a record', () => {
  it.each(['../../x', '; rm -r x', '$(id)', '', ' ', '01a00000-0000-7000-8000-00000000000'])(
    '%j, which is none, is refused before anything is sent',
    async (id) => {
      write('svc_agt_one');
      for (const [name, ...more] of [
        ['accept'],
        ['complete', '-'],
        ['verdict', 'accept'],
        ['dispute'],
        ['act', 'cancel'],
      ]) {
        const { code, stderr } = await home.run([name!, '--', id, ...more], { input: '{}' });
        expect([name, code, stderr]).toEqual([name, 2, expect.stringContaining('UUID')]);
      }
      expect(fake.seen).toEqual([]);
    },
  );
});
