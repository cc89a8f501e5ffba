import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../support/hubs/hub-pair.ts';
import { ownServices } from '../support/service/own-services.ts';
import { provisioningPlace } from '../support/service/provisioning.ts';
import { Client, ok, type Body } from '../support/service/world.ts';

const make = ownServices();
const place = provisioningPlace();

const ORG = 'slug: umbrella\nname: Umbrella\n';
const ADMIN = { org: 'umbrella', key: 'clerk', name: 'clerk' };

it('reads its files at the start and again at SIGHUP, and a killed process makes no key twice', async () => {
  place.write({ 'orgs/umbrella.yaml': ORG });
  const service = make(place.env);
  const { apiKey } = await service.bootstrap();
  await service.start();
  const platform = (): Client => new Client(service.url, apiKey);
  const orgs = async (): Promise<readonly Body[]> =>
    (await ok(platform().get('/v1/admin/orgs')))['data'] as Body[];
  expect((await orgs()).map(({ slug }) => slug)).toContain('umbrella');

  place.write({
    'agents/clerk.json': ADMIN,
    'api-keys/clerk.json': {
      org: 'umbrella',
      key: 'clerk',
      role: 'agent',
      agent: 'clerk',
      label: 'clerk',
    },
  });
  process.kill(service.pid, 'SIGHUP');
  // What is held has a hidden name until its key is committed.
  const secrets = (): readonly string[] =>
    existsSync(place.secrets)
      ? readdirSync(place.secrets).filter((name) => /^[^.].*\.api-key$/.test(name))
      : [];
  const status = async (): Promise<Body> => ok(platform().get('/v1/admin/provisioning/status'));
  await until(async () => (await status())['loadErrors']?.length > 0 || secrets().length > 0);
  expect((await status())['loadErrors']).toEqual([]);
  const [file] = secrets();
  expect(statSync(join(place.secrets, file!)).mode & 0o777).toBe(0o600);
  const clerk = new Client(service.url, readFileSync(join(place.secrets, file!), 'utf8').trim());
  expect((await clerk.get('/v1/records')).status).toBe(200);

  process.kill(service.pid, 'SIGHUP');
  await service.stop('SIGKILL');
  await service.start();
  expect(secrets()).toEqual([file]);
  const again = new Client(service.url, clerk.key);
  expect((await again.get('/v1/records')).status).toBe(200);
});
