import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { ownServices } from '../support/service/own-services.ts';
import type { ServiceProcess } from '../support/service/service-process.ts';
import { freshSecrets, verifyExports } from '../support/databases/stored-chains.ts';
import { Client, createWorld, ok, type World } from '../support/service/world.ts';

const make = ownServices();

/** What it said of others at its newest start. */
const othersOf = (service: ServiceProcess): readonly unknown[] =>
  service.logged.filter(({ msg }) => String(msg).startsWith('another service'));

const nodeFiles = (directory: string): readonly string[] =>
  readdirSync(join(directory, 'data')).filter((name) => name.includes('-node-'));

const storedIds = (file: string): ReadonlySet<string> => {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare('SELECT lower(hex(id)) AS id FROM records').all() as {
    id: string;
  }[];
  database.close();
  return new Set(
    rows.map(({ id }) => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')),
  );
};

const note = async (world: World, url: string): Promise<string> => {
  const client = new Client(url, world.principal.client.key);
  return String((await ok(client.post('/v1/records', { type: 'note', criteria: { url } })))['id']);
};

describe('two services on one database file', () => {
  it('say so at the start with the process id of the other, also after one was killed, and a service alone says nothing', async () => {
    const first = make();
    await first.start();
    expect(othersOf(first)).toEqual([]);
    const second = make({}, first.directory);
    await second.start();
    expect(othersOf(second)).toEqual([
      expect.objectContaining({
        pids: [first.pid],
        msg: expect.stringMatching(/^another service runs on this database file/) as unknown,
      }),
    ]);

    await first.stop('SIGKILL');
    await second.stop('SIGKILL');
    expect(nodeFiles(first.directory)).toHaveLength(2);
    const third = make({}, first.directory);
    await third.start();
    expect(othersOf(third), 'what the killed ones left was taken for a service').toEqual([]);
    expect(nodeFiles(first.directory)).toHaveLength(1);
    await third.stop();
    expect(nodeFiles(first.directory)).toEqual([]);
  });

  it('work: what both acknowledge while they write at once is in the database, and every chain verifies', async () => {
    const first = make();
    const { apiKey, signingKeyFingerprint } = await first.bootstrap();
    await first.start();
    const second = make({}, first.directory);
    await second.start();
    const world = await createWorld(first.url, apiKey);
    const made = (
      await Promise.all(
        [first, second].flatMap(({ url }) =>
          Array.from({ length: 6 }, async () => {
            const ids: string[] = [];
            for (let i = 0; i < 15; i++) ids.push(await note(world, url));
            return ids;
          }),
        ),
      )
    ).flat();
    expect(new Set(made).size).toBe(180);
    await first.stop();
    expect(await note(world, second.url)).toMatch(/^[0-9a-f-]{36}$/);
    expect(
      await verifyExports(
        new Client(second.url, world.principal.client.key),
        made.filter((_, i) => i % 6 === 0),
        signingKeyFingerprint,
      ),
    ).toEqual([]);
    await second.stop();
    const stored = storedIds(join(first.directory, 'data', 'notary.sqlite'));
    expect(made.filter((id) => !stored.has(id))).toEqual([]);
  });
});

describe('notary backup', () => {
  it('taken under load holds everything that was acknowledged before; restored as the README says it starts, verifies and goes on', async () => {
    const service = make();
    const { apiKey, signingKeyFingerprint } = await service.bootstrap();
    await service.start();
    const world = await createWorld(service.url, apiKey);
    const acknowledged: string[] = [];
    let stopped = false;
    const writers = Array.from({ length: 8 }, async () => {
      while (!stopped) acknowledged.push(await note(world, service.url));
    });
    while (acknowledged.length < 100) await Promise.race(writers.concat(pause(20)));
    const before = [...acknowledged];
    const file = join(service.directory, 'copy.sqlite');
    const { code, stdout, stderr } = await service.run('backup', file, '--json');
    const after = acknowledged.length;
    stopped = true;
    await Promise.all(writers);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ file, bytes: statSync(file).size, misplaced: [] });
    expect(after, 'nothing was written meanwhile').toBeGreaterThan(before.length);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}-wal`)).toBe(false);
    const stored = storedIds(file);
    expect(before.filter((id) => !stored.has(id))).toEqual([]);

    // What stands there is kept, until it is known that the copy is good.
    expect((await service.run('backup', file)).stderr).toContain(`${file} exists already`);
    await service.stop();
    renameSync(join(service.directory, 'data'), join(service.directory, 'data.old'));
    mkdirSync(join(service.directory, 'data'), { mode: 0o700 });
    copyFileSync(file, join(service.directory, 'data', 'notary.sqlite'));
    await service.start();
    const client = new Client(service.url, world.principal.client.key);
    const sample = [...stored].filter((id, i) => i % 10 === 0 && before.includes(id));
    expect(sample.length).toBeGreaterThan(5);
    expect(await verifyExports(client, sample, signingKeyFingerprint)).toEqual([]);
    expect(await note(world, service.url)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('of a database that is not there, or of MySQL, says what to do, and makes no file', async () => {
    const service = make();
    const file = join(service.directory, 'copy.sqlite');
    const none = await service.run('backup', file);
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringContaining(
        `notary: There is no database at ${join(service.directory, 'data', 'notary.sqlite')}. `,
      ),
    ]);
    const mysql = make({ DATABASE_URL: 'mysql://app:hidden@db.example/notary', ...freshSecrets() });
    const refused = await mysql.run('backup', file);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('mysqldump --single-transaction');
    expect(refused.stderr).not.toContain('hidden');
    expect(existsSync(file)).toBe(false);
  });
});

describe('notary config', () => {
  it('shows the fingerprint of the signing key while the service runs, and without its secrets; makes nothing where there is none', async () => {
    const service = make();
    const none = await service.run('config', '--json');
    expect(JSON.parse(none.stdout)).toMatchObject({
      signingKey: null,
      signingKeyUnknown: expect.stringContaining(
        `There is no database at ${join(service.directory, 'data', 'notary.sqlite')}. `,
      ) as unknown,
      secretFiles: {},
    });
    expect(existsSync(join(service.directory, 'data'))).toBe(false);

    const { signingKeyFingerprint } = await service.bootstrap();
    await service.start();
    const shown = await service.run('config', '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({
      PORT: 0,
      signingKey: { fingerprint: signingKeyFingerprint, hubId: expect.any(String) as unknown },
      signingKeyUnknown: null,
      SIGNER_KEK: null,
      METRICS_TOKEN: null,
      secretFiles: { SIGNER_KEK: join(service.directory, 'keys', 'signer-kek') },
    });
    const inWords = await service.run('config');
    expect(inWords.stdout).toContain(
      `\n# SIGNER_KEK is read from ${join(service.directory, 'keys', 'signer-kek')}\n`,
    );
    await service.stop();
    rmSync(join(service.directory, 'keys'), { recursive: true });
    const { code, stdout } = await service.run('config');
    expect(code).toBe(0);
    expect(stdout).toContain(`\n# signing key sha256:${signingKeyFingerprint} (key `);
    expect(existsSync(join(service.directory, 'keys'))).toBe(false);
  });

  it('shows the settings with the database away, and says so', async () => {
    const service = make({
      DATABASE_URL: 'mysql://app:hidden@127.0.0.1:1/none',
      ...freshSecrets(),
    });
    const { code, stdout } = await service.run('config');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^HOST=127/m);
    expect(stdout).toContain('# signing key unknown: DATABASE_URL: MySQL at 127.0.0.1:1 refuses');
    expect(stdout).not.toContain('hidden');
  });
});

describe('the first key', () => {
  it('is asked for in the log only as long as there is none', async () => {
    const service = make();
    const asked = (): readonly unknown[] =>
      service.logged.filter(({ msg }) => String(msg).includes('platform key'));
    await service.start();
    while (asked().length === 0) await pause(50);
    expect(asked()).toMatchObject([
      {
        level: 'warn',
        msg: 'no platform key exists yet: mint the first one with: notary bootstrap',
      },
    ]);
    await service.stop();
    await service.bootstrap();
    await service.start();
    await service.stop();
    expect(asked()).toHaveLength(1);
  });
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
