import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { provisioningPlace } from '../support/service/provisioning.ts';
import { Client, ok, type Answer, type Body } from '../support/service/world.ts';

// A record type decides what a completion must hold, so a name that files manage takes no version from anybody else.

const place = provisioningPlace();
const api = useApi(place.env);
const SCHEMA = { type: 'object', required: ['pages'], properties: { pages: { type: 'integer' } } };
const FIRST = { type: 'report', completionSchema: SCHEMA, exampleEvidence: { pages: 3 } };
const SECOND = { type: 'report', completionSchema: {} };

let admin: Client;
/** Both versions, as they were exported before files managed the name. */
let bundle: Body;

const reload = (): Promise<Body> => ok(api.world.platform.post('/v1/admin/provisioning/reload'));
const isManaged = ({ status, body }: Answer<Body>): void =>
  expect([status, body['code']]).toEqual([409, 'PROVISIONING_MANAGED']);

beforeAll(async () => {
  place.write({
    'orgs/umbrella.yaml': 'slug: umbrella\nname: Umbrella\n',
    'agents/admin.yaml': 'org: umbrella\nkey: admin\nname: admin\n',
    'api-keys/admin.yaml': 'org: umbrella\nkey: admin\nagent: admin\nrole: admin\n',
  });
  await reload();
  const key = readFileSync(join(place.secrets, 'umbrella.admin.api-key'), 'utf8').trim();
  admin = new Client(api.world.url, key);
  await ok(admin.post('/v1/schemas', FIRST));
  await ok(admin.post('/v1/schemas', { ...SECOND, version: 2 }));
  bundle = await ok(admin.get('/v1/schemas/export'));
  await ok(admin.patch('/v1/schemas/report', { status: 'disabled' }));
  await ok(admin.call('DELETE', '/v1/schemas/report'));
  place.write({ 'schemas/report.json': { org: 'umbrella', key: 'report', ...FIRST } });
  expect(await reload()).toMatchObject({ errors: [], schemas: { created: 1 } });
});

describe('a record type that files manage', () => {
  it.each([
    ['the next version', SECOND],
    ['a version of its own choice', { ...SECOND, version: 7 }],
    ['a version under the name of the publisher', { ...SECOND, publisher: 'umbrella' }],
  ])('refuses %s from a caller', async (_what, manifest) => {
    isManaged(await admin.post('/v1/schemas', manifest));
  });

  it('refuses it from a platform key', async () => {
    const { orgId } = await ok(admin.get('/v1/auth/me'));
    isManaged(await api.world.platform.post(`/v1/schemas?orgId=${String(orgId)}`, SECOND));
  });

  it('refuses it from a bundle that this hub signed', async () => {
    isManaged(await admin.post('/v1/schemas/import', bundle));
  });

  it('keeps its rules: no version was registered, and reload finds nothing to change', async () => {
    const { data } = (await ok(admin.get('/v1/schemas/report/versions'))) as { data: Body[] };
    expect(data.map(({ version, managedBy }) => [version, managedBy])).toEqual([
      [1, 'provisioning'],
    ]);
    expect(await reload()).toMatchObject({ errors: [], schemas: { created: 0, updated: 0 } });
  });
});
