import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { BootstrapPlatform } from '../../application/operations/bootstrap-platform.ts';
import type { RunningService } from '../../config/service.ts';
import { databases } from '../support/databases/databases.ts';
import { freshSecrets } from '../support/databases/stored-chains.ts';
import { settingsIn } from '../support/service/settings-in.ts';
import { startWatched } from '../support/service/watched-service.ts';
import { Client, type Body } from '../support/service/world.ts';

const root = mkdtempSync(join(tmpdir(), 'notary-hanging-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const start = (env: Readonly<Record<string, string>>): Promise<RunningService> => {
  const settings = settingsIn(root, env);
  return startWatched(settings);
};

interface Probed {
  readonly status: number;
  readonly body: Body;
  readonly ms: number;
}

const probe = async (service: RunningService, path: string): Promise<Probed> => {
  const began = performance.now();
  const answer = await fetch(`${service.url}${path}`);
  const body = (await answer.json()) as Body;
  return { status: answer.status, body, ms: performance.now() - began };
};

/** Each several times at once, as orchestrators and pages ask. */
const assertOutage = async (service: RunningService): Promise<void> => {
  for (let round = 0; round < 3; round++) {
    const all = await Promise.all(
      ['/readyz', '/health', '/status', '/readyz', '/readyz'].map((path) => probe(service, path)),
    );
    for (const { ms } of all) expect(ms).toBeLessThan(10_000);
    const [ready, health, status] = all;
    expect(ready).toMatchObject({
      status: 503,
      body: { status: 'not_ready', checks: { database: false, signer: true, migrations: false } },
    });
    expect(health).toMatchObject({ status: 200, body: { status: 'degraded' } });
    expect(status).toMatchObject({ status: 200, body: { status: 'outage' } });
  }
};

const isReady = async (service: RunningService): Promise<void> => {
  await expect.poll(async () => (await probe(service, '/readyz')).status).toBe(200);
};

/** Takes connections for another port, and forwards nothing while it hangs. */
const hangingProxy = async (target: URL) => {
  const pairs = new Set<readonly [Socket, Socket]>();
  let hangs = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('error', () => to.destroy());
      from.on('close', () => (pairs.delete(pair), to.destroy()));
      from.on('data', (bytes: Buffer) => to.write(bytes));
      if (hangs) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    hang: (does: boolean): void => {
      hangs = does;
      for (const socket of [...pairs].flat()) {
        if (does) socket.pause();
        else socket.resume();
      }
    },
    close: (): void => {
      for (const socket of [...pairs].flat()) socket.destroy();
      server.close();
    },
  };
};

const mysql = databases().find(({ name }) => name === 'mysql');

describe('the probes answer within 2 s and say what is wrong', () => {
  it.skipIf(!mysql)(
    'while a server takes connections and answers nothing; and are well again after it',
    async () => {
      const database = await mysql!.open({ migrated: false });
      const url = new URL(database.url);
      const proxy = await hangingProxy(new URL(url));
      url.host = `127.0.0.1:${proxy.port}`;
      const service = await start({ DATABASE_URL: url.href, ...freshSecrets() });
      try {
        await isReady(service);
        proxy.hang(true);
        await assertOutage(service);
        proxy.hang(false);
        await isReady(service);
        expect((await probe(service, '/readyz')).body).toMatchObject({
          checks: { database: true, signer: true, migrations: true },
        });
      } finally {
        proxy.hang(false);
        await service.stop();
        proxy.close();
        await database.drop();
      }
    },
  );

  it('while another process holds the lock of the SQLite file and a write waits for it', async () => {
    const service = await start({});
    const { apiKey } = await service.container.get(BootstrapPlatform).execute();
    const platform = new Client(String(service.url), apiKey);
    const other = new DatabaseSync(join(root, 'data', 'notary.sqlite'));
    try {
      // The first use of a key is stored before it is let in; later ones wait for nobody.
      expect((await platform.get('/v1/auth/me')).status).toBe(200);
      other.exec('BEGIN IMMEDIATE');
      const waiting = platform.post('/v1/admin/orgs', { name: 'Waiting' });
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      // Reads go on, and so does everything else that needs no writer.
      await assertOutage(service);
      expect((await platform.get('/v1/auth/me')).status).toBe(200);
      other.exec('ROLLBACK');
      expect((await waiting).status).toBe(201);
      await isReady(service);
    } finally {
      other.close();
      await service.stop();
    }
  });
});
