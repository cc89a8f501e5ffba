import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, credentials } from '@grpc/grpc-js';
import { createConnection } from 'mysql2/promise';
import { afterEach, describe, expect, it } from 'vitest';
import { BootstrapPlatform } from '../../application/operations/bootstrap-platform.ts';
import { DEGRADED_REASONS } from '../../application/operations/degraded-reasons.ts';
import type { RunningService } from '../../config/service.ts';
import { hasMariadb, openMariadb } from '../support/databases/galera.ts';
import { freshSecrets } from '../support/databases/stored-chains.ts';
import { reasonsOf } from '../support/service/health.ts';
import { settingsIn } from '../support/service/settings-in.ts';
import { smallDisk, type SmallDisk } from '../support/service/small-disk.ts';
import { startWatched } from '../support/service/watched-service.ts';
import { createWorld, ok, type Body, type World } from '../support/service/world.ts';

/** The intervals of a worker that cannot write down that it is there. */
const UNTIL_LATE_MS = 20_000;

describe('a database that takes no writes', () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    const failures: unknown[] = [];
    for (const end of ends.splice(0).reverse())
      try {
        await end();
      } catch (failure) {
        failures.push(failure);
      }
    expect(failures).toEqual([]);
  });

  const write = (world: World): Promise<{ status: number; body: Body; headers: Headers }> =>
    world.principal.client.post('/v1/records', { type: 'note', criteria: { text: 'a note' } });

  const start = async (url: string): Promise<{ service: RunningService; world: World }> => {
    const directory = mkdtempSync(join(tmpdir(), 'notary-test-'));
    ends.push(() => rmSync(directory, { recursive: true, force: true }));
    const service = await startWatched(
      settingsIn(directory, { DATABASE_URL: url, GRPC_PORT: '0', ...freshSecrets() }),
    );
    ends.push(() => service.stop());
    const { apiKey } = await service.container.get(BootstrapPlatform).execute();
    const world = await createWorld(String(service.url), apiKey);
    // The first use of a key is stored before it is let in.
    expect((await write(world)).status).toBe(201);
    return { service, world };
  };

  const disk = (mebibytes: number): SmallDisk | null => {
    const made = smallDisk(mebibytes);
    if (made) ends.push(() => made.drop());
    return made;
  };

  const probe = async (service: RunningService, path: string): Promise<[number, Body]> => {
    const answer = await fetch(`${service.url}${path}`);
    return [answer.status, (await answer.json()) as Body];
  };

  /** What balancers of gRPC ask (grpc.health.v1): 1 is SERVING, 2 is not. */
  const grpcHealth = (service: RunningService): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const client = new Client(String(service.grpc), credentials.createInsecure());
      const asIs = (bytes: Buffer): Buffer => bytes;
      const path = '/grpc.health.v1.Health/Check';
      client.makeUnaryRequest(path, asIs, asIs, Buffer.alloc(0), (error, answer) => {
        client.close();
        if (error) reject(error);
        else resolve(answer?.[1]);
      });
    });

  const expectRefused = async (
    { service, world }: { service: RunningService; world: World },
    reason: 'disk_full' | 'database_read_only',
    detail: RegExp,
  ): Promise<void> => {
    const { says, cure } = DEGRADED_REASONS[reason];
    // A small record may still fit.
    await expect.poll(async () => (await write(world)).status).toBe(503);
    const refused = await write(world);
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(refused.body['detail']).toMatch(detail);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await world.principal.client.get('/v1/records?limit=5')).status).toBe(200);

    const seen = performance.now();
    do {
      expect(await probe(service, '/readyz')).toMatchObject([
        503,
        {
          status: 'not_ready',
          checks: { database: true, writes: false, signer: true, migrations: true },
          reason: says,
        },
      ]);
      await new Promise((resolve) => setTimeout(resolve, 500));
    } while (performance.now() - seen < UNTIL_LATE_MS);
    expect(await grpcHealth(service)).toBe(2);
    expect(await probe(service, '/health')).toMatchObject([
      200,
      { status: 'degraded', reason: `${says} ${cure}` },
    ]);
    const [, status] = await probe(service, '/status');
    expect(status).toMatchObject({
      status: 'degraded',
      components: expect.arrayContaining([
        { name: 'Database', status: 'operational' },
        { name: 'Chain writes', status: 'outage' },
      ]) as unknown,
    });
    const reasons = await reasonsOf(service);
    expect(reasons).toContain(reason);
    expect(reasons).not.toContain('job_late');
    const health = await ok(world.platform.get('/v1/admin/system-health'));
    expect(health['workers']).toMatchObject({ status: 'unknown' });
  };

  /** No caller writes: the service finds out by itself. */
  const expectWellAgain = async (service: RunningService): Promise<void> => {
    await expect.poll(async () => (await probe(service, '/readyz'))[0]).toBe(200);
    const [, health] = await probe(service, '/health');
    expect(health).not.toHaveProperty('reason');
    await expect.poll(() => grpcHealth(service)).toBe(1);
    await expect
      .poll(async () => (await probe(service, '/status'))[1]['status'])
      .toBe('operational');
  };

  it('says that the disk of the SQLite file is full, and takes writes again when there is room', async (context) => {
    const small = disk(32);
    if (small === null) return context.skip();
    const running = await start(`sqlite://${join(small.directory, 'notary.sqlite')}`);
    small.fill();
    await expectRefused(running, 'disk_full', /^The disk of the database is full;/);
    small.makeRoom();
    await expectWellAgain(running.service);
    expect((await write(running.world)).status).toBe(201);
  });

  describe.skipIf(!hasMariadb())('on a server', () => {
    it('says that the disk of the server is full, and takes writes again when there is room', async (context) => {
      const small = disk(400);
      if (small === null) return context.skip();
      const server = await openMariadb(small.directory);
      ends.push(() => server.drop());
      const running = await start(server.url);
      small.fill();
      await expectRefused(running, 'disk_full', /^The disk of the database is full;/);
      small.makeRoom();
      await expectWellAgain(running.service);
      expect((await write(running.world)).status).toBe(201);
    });

    it('says that the server accepts reads only, and takes writes again when it does', async () => {
      const server = await openMariadb();
      ends.push(() => server.drop());
      const root = await createConnection(server.url);
      ends.push(() => root.end());
      await root.query("CREATE USER plain@'127.0.0.1' IDENTIFIED BY 'plain'");
      await root.query("GRANT ALL ON test.* TO plain@'127.0.0.1'");
      const url = new URL(server.url);
      [url.username, url.password] = ['plain', 'plain'];
      const running = await start(url.href);
      await root.query('SET GLOBAL read_only = ON');
      await expectRefused(
        running,
        'database_read_only',
        /^The database accepts reads only; nothing was stored/,
      );
      await root.query('SET GLOBAL read_only = OFF');
      await expectWellAgain(running.service);
      expect((await write(running.world)).status).toBe(201);
    });
  });
});
