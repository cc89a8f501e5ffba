import { once } from 'node:events';
import { createServer } from 'node:http';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processesOf } from '../support/service/processes-of.ts';
import { ShellHome, type ShellRun } from '../support/service/shell-home.ts';
import { Client, ok, type Body } from '../support/service/world.ts';

/** `notary init` without an address: a service of this machine, which outlives the command. */
let home: ShellHome;
beforeEach(() => {
  home = new ShellHome();
});
afterEach(() => home.end());

const place = (): string => join(home.directory, '.local', 'share', 'notary');
const stopped = async (pid: number): Promise<void> => {
  process.kill(pid, 'SIGTERM');
  await expect.poll(() => processesOf(place())).toEqual([]);
};

describe('notary init, without an address', () => {
  it('starts a service, and the next command seals a file that verifies', async () => {
    const begun = performance.now();
    const init = await home.run(['init']);
    expect([init.code, init.stderr]).toEqual([0, '']);
    expect(init.stdout).toMatch(/^A service runs at http:\/\/127\.0\.0\.1:\d+/);
    expect(init.stdout).toMatch(/Stop it with: kill \d+/);
    const sealed = await home.run(['notarize', '--digest', home.file('a.txt', 'a')]);
    expect([sealed.code, sealed.stdout]).toEqual([0, expect.stringMatching(/^verified {2}/m)]);
    console.log(`init and notarize: ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
    for (const name of ['notary.log', 'service.json'])
      expect([name, statSync(join(place(), name)).mode & 0o777]).toEqual([name, 0o600]);
    expect(statSync(place()).mode & 0o777).toBe(0o700);
  });

  it('leaves a folder in which the commands of the host find its database, and elsewhere they name that folder', async () => {
    await home.json(['init']);
    const inFolder = (...args: readonly string[]): Promise<ShellRun> =>
      home.run(args, { cwd: place() });
    const keys = JSON.parse((await inFolder('keys', 'list', '--json')).stdout) as {
      role: string;
    }[];
    expect(keys.map(({ role }) => role)).toContain('platform');
    const config = await inFolder('config');
    expect(config.stdout).toContain('# signing key sha256:');
    expect((await inFolder('doctor')).stdout).toContain('fingerprint: sha256:');
    for (const args of [['scan'], ['backup', join(home.directory, 'copy.sqlite')]]) {
      const { code, stderr } = await inFolder(...args);
      expect([args[0], code], stderr).toEqual([args[0], 0]);
    }

    for (const args of [['keys', 'list'], ['scan'], ['backup', join(home.directory, 'none')]]) {
      const { code, stderr } = await home.run(args);
      expect([args[0], code]).toEqual([args[0], 1]);
      expect(stderr).toContain(`There is no database at ${join(home.directory, 'data')}`);
      expect(stderr).toContain(`notary init keeps its database in ${place()}: for that one`);
    }
    expect((await home.run(['config'])).stdout).toContain(`its database in ${place()}`);
    expect((await home.run(['doctor'])).stdout).toContain(`its database in ${place()}`);
    expect(existsSync(join(home.directory, 'data'))).toBe(false);
  });

  it('run twice, also at the same time, leaves one service, one org and one agent', async () => {
    const both = await Promise.all([home.json(['init']), home.json(['init'])]);
    expect(both[0]).toEqual(both[1]);
    expect(await home.json(['init'])).toEqual(both[0]);
    expect(processesOf(place())).toEqual([String(both[0]['pid'])]);
    const platform = new Client(
      String(both[0]['url']),
      home.profile['contexts']['local-platform'].credential.apiKey,
    );
    const { data } = await ok(platform.get('/v1/admin/orgs'));
    expect(data.filter(({ name }: Body) => name === 'Local')).toHaveLength(1);
  });

  it('that is ended by Ctrl-C leaves no service that nobody knows of, and goes on when it is run again', async () => {
    const init = home.spawn(['init', '--json']);
    const ended = once(init, 'close');
    await expect.poll(() => processesOf(place()).length).toBeGreaterThan(0);
    init.kill('SIGINT');
    const [code] = (await ended) as [number];
    expect([0, 130]).toContain(code);
    const known = existsSync(join(place(), 'service.json'));
    if (!known) await expect.poll(() => processesOf(place())).toEqual([]);
    const { pid } = await home.json(['init']);
    expect(processesOf(place())).toEqual([String(pid)]);
    expect((await home.json(['whoami']))['role']).toBe('agent');
  });

  it('starts a service again that was stopped, at its address, with all that it holds', async () => {
    const first = await home.json(['init']);
    const { id } = await home.json(['notarize', '--digest', home.file('a.txt', 'a')]);
    await stopped(Number(first['pid']));
    const away = await home.run(['list', '--json']);
    expect([away.code, away.stderr]).toEqual([4, expect.stringContaining('notary init')]);
    expect(JSON.parse(away.stdout)).toMatchObject({ exitCode: 4, problem: { code: null } });
    const second = await home.json(['init']);
    expect(second).toEqual({ ...first, pid: second['pid'] });
    expect((await home.json(['list']))['data']).toMatchObject([{ id }]);
  });

  it('starts no second one beside a service that hangs', async () => {
    const { pid } = await home.json(['init']);
    process.kill(Number(pid), 'SIGSTOP');
    const { code, stderr } = await home.run(['init']);
    expect([code, stderr]).toEqual([4, expect.stringContaining(`kill ${pid}`)]);
    expect(processesOf(place())).toEqual([String(pid)]);
    process.kill(Number(pid), 'SIGCONT');
    expect((await home.json(['init']))['pid']).toBe(pid);
  });

  it('moves to another port where its own is taken, and the contexts follow', async () => {
    const first = await home.json(['init']);
    await stopped(Number(first['pid']));
    const other = createServer().listen(Number(new URL(String(first['url'])).port), '127.0.0.1');
    await once(other, 'listening');
    try {
      const second = await home.json(['init']);
      expect(second['url']).not.toBe(first['url']);
      expect((await home.json(['whoami']))['url']).toBe(second['url']);
      expect((await home.json(['whoami', '--context', 'local-admin']))['role']).toBe('admin');
    } finally {
      other.close();
    }
  });

  it('gives no key to another process at the address of a service that was stopped', async () => {
    const { url, pid } = await home.json(['init']);
    await stopped(Number(pid));
    const heard: unknown[] = [];
    const other = createServer(({ headers }, outgoing) => {
      heard.push(headers.authorization);
      outgoing.end('{}');
    }).listen(Number(new URL(String(url)).port), '127.0.0.1');
    await once(other, 'listening');
    try {
      const { code, stderr } = await home.run(['whoami']);
      expect([code, stderr]).toEqual([4, expect.stringContaining('does not run')]);
      expect(heard).toEqual([]);
    } finally {
      other.close();
    }
  });

  it('replaces keys that ended, the one of the platform by the host', async () => {
    const { url } = await home.json(['init']);
    const before = home.profile['contexts'];
    const platform = new Client(String(url), before['local-platform'].credential.apiKey);
    for (const name of ['local', 'local-admin', 'local-platform'])
      await ok(
        platform.patch(`/v1/admin/api-keys/${before[name].credential.keyId}`, { isActive: false }),
      );
    expect((await home.run(['whoami'])).code).toBe(3);
    await home.json(['init']);
    const after = home.profile['contexts'];
    for (const name of ['local', 'local-admin', 'local-platform']) {
      expect((await home.json(['whoami', '--context', name]))['context']).toBe(name);
      expect(after[name].agentId, name).toBe(before[name].agentId);
    }
  });

  it('tells where the key of the environment would go before the profile', async () => {
    const env = { NOTARY_API_KEY: 'none' };
    const { code, stdout } = await home.run(['init'], { env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('NOTARY_API_KEY is set')]);
  });

  it('keeps its data where it is told to, and its settings are not those of the terminal', async () => {
    const directory = join(home.directory, 'elsewhere');
    const env = { DATABASE_URL: 'mysql://nobody@127.0.0.1:1/none', PORT: '1' };
    const { directory: shown } = await home.json(['init', '--directory', directory], { env });
    expect(shown).toBe(directory);
    expect(readFileSync(join(directory, 'data', 'notary.sqlite')).length).toBeGreaterThan(0);
  });

  it('is watched through an outage: told once, and gone on with', async () => {
    const { init: first, recordId: id } = await home.openJob();
    const watch = home.spawn(['show', String(id), '--watch']);
    let [told, said] = ['', ''];
    watch.stdout!.on('data', (part: Buffer) => (told += part.toString()));
    watch.stderr!.on('data', (part: Buffer) => (said += part.toString()));
    await expect.poll(() => told).toContain('VALID');
    await stopped(Number(first['pid']));
    await expect.poll(() => said).toContain('does not answer');
    await home.json(['init']);
    await expect.poll(() => said).toContain('answers again');
    await home.json(['accept', String(id), '--context', 'builder']);
    await expect.poll(() => told).toContain('accepted the proposal');
    watch.kill('SIGTERM');
    expect((await once(watch, 'close'))[0]).toBe(143);
    expect(said.split('does not answer')).toHaveLength(2);
  }, 240_000);
});
