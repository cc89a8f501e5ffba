import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BootstrapPlatform } from '../../application/operations/bootstrap-platform.ts';
import type { RunningService } from '../../config/service.ts';
import { TOKENS } from '../../config/tokens.ts';
import { settingsIn } from '../support/service/settings-in.ts';
import { startWatched } from '../support/service/watched-service.ts';
import { Client, createWorld, sleep, type World } from '../support/service/world.ts';

const OLD = Buffer.alloc(32, 1).toString('base64');
const NEW = Buffer.alloc(32, 2).toString('base64');
const directory = mkdtempSync(join(tmpdir(), 'notary-pepper-'));
let world: World;

const start = (pepper: string): Promise<RunningService> =>
  startWatched(settingsIn(directory, { API_KEY_PEPPER: pepper }));

const under = async <T>(
  pepper: string,
  work: (service: RunningService) => Promise<T>,
): Promise<T> => {
  const service = await start(pepper);
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
};

const whoami = async (service: RunningService, { client }: World['principal']): Promise<number> =>
  (await new Client(String(service.url), client.key).get('/v1/auth/me')).status;

beforeAll(async () => {
  world = await under(OLD, async (service) =>
    createWorld(
      String(service.url),
      (await service.container.get(BootstrapPlatform).execute()).apiKey,
    ),
  );
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it('a key moves to the newest pepper with its next use, and then needs the older one no more; an unused key still does', async () => {
  await under(`${NEW},${OLD}`, async (service) => {
    expect(await whoami(service, world.principal)).toBe(200);
    const { apiKeys } = service.container.get(TOKENS.sql).reads;
    const hasher = service.container.get(TOKENS.apiKeyHasher);
    const [newest] = hasher.hashes(String(world.principal.client.key));
    for (let tries = 0; tries < 50 && !(await apiKeys.findCredential([newest!])); tries++)
      await sleep(20);
  });
  await under(NEW, async (service) => {
    expect([
      await whoami(service, world.principal),
      await whoami(service, world.performer),
    ]).toEqual([200, 401]);
  });
});

it('a row that was edited before its key is used is not given a new MAC', async () => {
  await under(`${NEW},${OLD}`, async (service) => {
    const { apiKeys } = service.container.get(TOKENS.sql).reads;
    const hasher = service.container.get(TOKENS.apiKeyHasher);
    const hashes = hasher.hashes(String(world.performer.client.key));
    const database = new DatabaseSync(join(directory, 'data', 'notary.sqlite'), { timeout: 5000 });
    const edited = database
      .prepare('UPDATE api_keys SET scopes = ? WHERE key_hash = ?')
      .run('["records:read"]', hashes[1]!);
    database.close();
    expect(edited.changes).toBe(1);
    expect(await whoami(service, world.performer)).toBe(401);
    await sleep(100);
    expect(await apiKeys.findCredential([hashes[0]!])).toBeNull();
  });
});
