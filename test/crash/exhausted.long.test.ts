import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/databases/databases.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { freshSecrets, verifyExports } from '../support/databases/stored-chains.ts';
import { Client, createWorld, type World } from '../support/service/world.ts';
import { expectAcknowledged, Writers } from '../support/clients/writers.ts';

const FAKETIME = ['x86_64-linux-gnu', 'aarch64-linux-gnu']
  .map((machine) => `/usr/lib/${machine}/faketime/libfaketime.so.1`)
  .find((file) => existsSync(file));
const isLinux = process.platform === 'linux';

/** The soft limit of a process that runs, as `ulimit` would have set it. */
const limit = (pid: number, name: 'fsize' | 'nofile', value: number | 'unlimited'): void => {
  execFileSync('prlimit', ['--pid', String(pid), `--${name}=${value}:`]);
};

describe.skipIf(!isLinux)('a service that runs out of something', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let world: World;
  let apiKey: string;
  let fingerprint: string;
  let secrets: Record<string, string>;
  let writers: Writers;

  beforeEach(async () => {
    database = await databases()[0]!.open({ migrated: false });
    secrets = { DATABASE_URL: database.url, ...freshSecrets() };
  });
  afterEach(async () => {
    await writers?.stop();
    await service?.stop('SIGKILL');
    await database.drop();
    rmSync(service.directory, { recursive: true, force: true });
  });

  const begin = async (env: Readonly<Record<string, string>> = {}): Promise<void> => {
    service = new ServiceProcess({ ...secrets, ...env });
    ({ apiKey, signingKeyFingerprint: fingerprint } = await service.bootstrap());
    await service.start();
    world = await createWorld(service.url, apiKey);
    writers = new Writers(() => service.url, world.principal.client.key!).start();
    await writers.see(201, 50);
  };

  /** An agent reads its own: reads of administrators are written down, so they need room as well. */
  const reads = async (): Promise<number> =>
    (await world.principal.client.get('/v1/records?limit=5')).status;
  const isRunning = (): boolean => existsSync(`/proc/${service.pid}`);
  const file = (): string => database.url.replace('sqlite://', '');

  it('of room on the disk: refuses to write, still reads, and writes again as soon as there is room', async () => {
    await begin();
    // Of the database and its log, the longer one; neither may grow beyond that.
    const longest = Math.max(...['', '-wal'].map((end) => statSync(`${file()}${end}`).size));
    limit(service.pid, 'fsize', longest + 65_536);
    await writers.see(503, 20);
    expect(await reads()).toBe(200);
    const [before, full] = [writers.count(201), writers.count(503)];
    await writers.see(503, 50);
    // A small record may still fit.
    expect(writers.count(201) - before).toBeLessThan(writers.count(503) - full);
    limit(service.pid, 'fsize', 'unlimited');
    await writers.see(201, 50);
    await writers.stop();
    expect(isRunning()).toBe(true);
    expect([...writers.statuses.keys()].sort()).toEqual([201, 503]);
    await expectAcknowledged(database, writers.acknowledged);
  });

  it('of file handles: goes on with the connections it has, and takes new ones as soon as it can', async () => {
    await begin();
    const open = readdirSync(`/proc/${service.pid}/fd`).length;
    limit(service.pid, 'nofile', open + 4);
    const { hostname, port } = new URL(service.url);
    const sockets: Socket[] = [];
    for (let at = 0; at < 60; at++) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      sockets.push(socket);
    }
    // Whatever number a handle has, there are as many as there may be.
    await expect
      .poll(() => readdirSync(`/proc/${service.pid}/fd`).length)
      .toBeGreaterThanOrEqual(open + 4);
    await writers.see(201, 50);
    for (const socket of sockets) socket.destroy();
    await expect
      .poll(() =>
        new Client(service.url, null).get('/livez').then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
    limit(service.pid, 'nofile', 4_096);
    await writers.see(201, 50);
    await writers.stop();
    expect(isRunning()).toBe(true);
    await expectAcknowledged(database, writers.acknowledged);
  });

  it('of memory: what it acknowledged before it died is there', async () => {
    await begin({ NODE_OPTIONS: '--max-old-space-size=40' });
    const huge = new Writers(() => service.url, world.principal.client.key!, 0, {
      values: Array.from({ length: 3_000 }, (_, at) => `value ${at} ${'x'.repeat(200)}`),
    }).start(200);
    await expect.poll(isRunning, { timeout: 150_000 }).toBe(false);
    await service.stop('SIGKILL');
    await Promise.all([writers.stop(), huge.stop()]);
    const again = new ServiceProcess(secrets, service.directory);
    service = again;
    await again.start();
    await expectAcknowledged(database, new Set([...writers.acknowledged, ...huge.acknowledged]));
    writers = new Writers(() => again.url, world.principal.client.key!).start();
    await writers.see(201, 20);
  }, 300_000);

  it.skipIf(!FAKETIME)(
    'of a clock that is right: an hour back and an hour on, all chains verify',
    async () => {
      const directory = mkdtempSync(join(tmpdir(), 'notary-clock-'));
      const clock = join(directory, 'offset');
      const set = (offset: string): void => writeFileSync(clock, `${offset}\n`);
      set('+0');
      await begin({
        LD_PRELOAD: FAKETIME!,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      });
      for (const offset of ['-3600', '+0', '+3600', '+0']) {
        set(offset);
        await writers.see(201, 100);
      }
      await writers.stop();
      expect([...writers.statuses.keys()]).toEqual([201]);
      const stored = await expectAcknowledged(database, writers.acknowledged);
      const sample = [...stored.records.keys()].slice(-40);
      const admin = new Client(service.url, world.admin.key);
      expect(await verifyExports(admin, sample, fingerprint)).toEqual([]);
      rmSync(directory, { recursive: true, force: true });
    },
  );
});
