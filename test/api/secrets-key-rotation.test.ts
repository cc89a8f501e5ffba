import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BootstrapPlatform } from '../../application/operations/bootstrap-platform.ts';
import type { RunningService } from '../../config/service.ts';
import { TOKENS } from '../../config/tokens.ts';
import { settingsIn } from '../support/service/settings-in.ts';
import { startWatched } from '../support/service/watched-service.ts';
import { Client, createWorld, type World } from '../support/service/world.ts';

const OLD = Buffer.alloc(32, 1).toString('base64');
const NEW = Buffer.alloc(32, 2).toString('base64');
const directory = mkdtempSync(join(tmpdir(), 'notary-secrets-key-'));
let world: World;

const start = (key: string): Promise<RunningService> =>
  startWatched(settingsIn(directory, { SECRETS_KEY: key }));
const whoami = async (service: RunningService): Promise<number> =>
  (await new Client(String(service.url), world.platform.key).get('/v1/auth/me')).status;

beforeAll(async () => {
  const service = await start(OLD);
  const { apiKey } = await service.container.get(BootstrapPlatform).execute();
  world = await createWorld(String(service.url), apiKey);
  await service.stop();
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it('a node that knows the new secret, but does not use it yet, goes on while another one moves the rows to it', async () => {
  const [behind, ahead] = [await start(`${OLD},${NEW}`), await start(`${NEW},${OLD}`)];
  await ahead.container.get(TOKENS.sql).moveRowsToNewestKey();
  const found = [await whoami(ahead), await whoami(behind)];
  await Promise.all([behind.stop(), ahead.stop()]);
  expect(found).toEqual([200, 200]);
});

it('a start without the secret that the rows need is refused, and says how to go on', async () => {
  const next = Buffer.alloc(32, 3).toString('base64');
  const both = await start(`${next},${NEW},${OLD}`);
  await both.stop();
  await expect(start(next)).rejects.toThrow(
    /SECRETS_KEY.*the new one first and the old one after it/,
  );
  const again = await start(`${next},${NEW},${OLD}`);
  await again.container.get(TOKENS.sql).moveRowsToNewestKey();
  await again.stop();
  const alone = await start(next);
  const found = await whoami(alone);
  await alone.stop();
  expect(found).toBe(200);
});
