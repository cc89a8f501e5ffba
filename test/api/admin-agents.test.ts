import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem, NOBODY, TIMESTAMP, UUID } from '../support/stories/problems.ts';
import { createWorld, ok, type Body, type Client, type World } from '../support/service/world.ts';

const api = useApi();
let globex: World;
beforeAll(async () => {
  globex = await createWorld(api.world.url, String(api.world.platform.key), 'Globex');
});
const create = (body: unknown, client: Client = api.world.admin) =>
  client.post('/v1/admin/agents', body);
const names = (page: Body): string[] => (page['data'] as Body[]).map((row) => String(row['name']));

describe('POST /v1/admin/agents', () => {
  it('201: an agent with its defaults and a Location that can be read', async () => {
    const { status, body, headers } = await create({ name: 'worker', orgId: api.world.orgId });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: expect.stringMatching(UUID),
      orgId: api.world.orgId,
      name: 'worker',
      capabilities: [],
      signingKeys: [],
      encryptionKeyJwk: null,
      references: [],
      deactivatedAt: null,
      deactivationReason: null,
      managedBy: null,
      createdAt: expect.stringMatching(TIMESTAMP),
    });
    expect((await ok(api.world.admin.get(String(headers.get('location')))))['id']).toBe(body['id']);
  });

  it('names are not unique', async () => {
    expect([
      (await create({ name: 'twin', orgId: api.world.orgId })).status,
      (await create({ name: 'twin', orgId: api.world.orgId })).status,
    ]).toEqual([201, 201]);
  });

  it('an agent of another org: as if that org did not exist', async () => {
    const foreign = await create({ name: 'spy', orgId: globex.orgId });
    const missing = await create({ name: 'spy', orgId: NOBODY });
    expect([404, 422, 403]).toContain(foreign.status);
    expect({
      status: foreign.status,
      code: foreign.body['code'],
      detail: String(foreign.body['detail']).replace(globex.orgId, 'x'),
    }).toEqual({
      status: missing.status,
      code: missing.body['code'],
      detail: String(missing.body['detail']).replace(NOBODY, 'x'),
    });
    expect(names(await ok(globex.admin.get('/v1/admin/agents')))).not.toContain('spy');
  });

  it('201: the platform creates in any org', async () => {
    expect(
      (await create({ name: 'seconded', orgId: globex.orgId }, api.world.platform)).body['orgId'],
    ).toBe(globex.orgId);
  });

  it.each<[string, Body]>([
    ['no name', { orgId: NOBODY }],
    ['no orgId', { name: 'x' }],
    ['an orgId that is no UUID', { name: 'x', orgId: 'acme' }],
    ['an empty name', { name: '', orgId: NOBODY }],
    ['an unknown member', { name: 'x', orgId: NOBODY, role: 'admin' }],
    ['a capability that is no type name', { name: 'x', orgId: NOBODY, capabilities: ['NO GO'] }],
  ])('400: %s', async (_case, body) => {
    expectProblem(await create(body), 400, 'VALIDATION_ERROR');
  });

  it('403 INSUFFICIENT_SCOPE: an agent', async () => {
    expectProblem(
      await create({ name: 'x', orgId: api.world.orgId }, api.world.principal.client),
      403,
      'INSUFFICIENT_SCOPE',
      { missingScopes: ['admin:keys'] },
    );
  });
});

describe('GET /v1/admin/agents', () => {
  it('200: those of the org, newest first, by name and deactivated', async () => {
    const all = await ok(api.world.admin.get('/v1/admin/agents'));
    expect((all['data'] as Body[]).every((row) => row['orgId'] === api.world.orgId)).toBe(true);
    const created = (all['data'] as Body[]).map((row) => String(row['createdAt']));
    expect(created).toEqual([...created].sort().reverse());
    expect(names(await ok(api.world.admin.get('/v1/admin/agents?name=performer')))).toEqual([
      'performer',
    ]);
    expect((await ok(api.world.admin.get('/v1/admin/agents?deactivated=true')))['total']).toBe(0);
    expect((await ok(api.world.admin.get('/v1/admin/agents?deactivated=false')))['total']).toBe(
      all['total'],
    );
  });

  it('200: the platform spans orgs, and orgId filters', async () => {
    const everywhere = (await ok(api.world.platform.get('/v1/admin/agents?limit=200')))[
      'data'
    ] as Body[];
    expect(everywhere.map((row) => row['orgId'])).toEqual(
      expect.arrayContaining([api.world.orgId, globex.orgId]),
    );
    const filtered = (
      await ok(api.world.platform.get(`/v1/admin/agents?limit=200&orgId=${globex.orgId}`))
    )['data'] as Body[];
    expect(new Set(filtered.map((row) => row['orgId']))).toEqual(new Set([globex.orgId]));
  });

  it('another org by an admin answers as one that does not exist', async () => {
    const foreign = await api.world.admin.get(`/v1/admin/agents?orgId=${globex.orgId}`);
    const missing = await api.world.admin.get(`/v1/admin/agents?orgId=${NOBODY}`);
    expect({
      status: foreign.status,
      code: foreign.body['code'],
      data: foreign.body['data'],
    }).toEqual({ status: missing.status, code: missing.body['code'], data: missing.body['data'] });
    expect(JSON.stringify(foreign.body['data'] ?? [])).not.toContain(globex.orgId);
  });
});
