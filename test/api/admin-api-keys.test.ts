import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem, NOBODY, UUID } from '../support/stories/problems.ts';
import {
  addAgent,
  Client,
  createWorld,
  mintKey,
  ok,
  type Body,
  type World,
} from '../support/service/world.ts';

const api = useApi();
let world: World;
let globex: World;
beforeAll(async () => {
  world = api.world;
  globex = await createWorld(world.url, String(world.platform.key), 'Globex');
});
const mint = (extra: Body = {}, client: Client = world.admin) =>
  client.post('/v1/admin/api-keys', {
    role: 'agent',
    ownerType: 'agent',
    ownerId: world.principal.id,
    ...extra,
  });
const list = async (query: string, client: Client = world.admin): Promise<Body[]> =>
  (await ok(client.get(`/v1/admin/api-keys?limit=200&${query}`)))['data'] as Body[];
const ids = (rows: readonly Body[]): string[] => rows.map((row) => String(row['keyId']));

describe('mint', () => {
  it('201: the raw key once, agent-full and no expiry by default', async () => {
    const { status, body } = await mint({ label: 'laptop' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      keyId: expect.stringMatching(UUID),
      apiKey: expect.stringMatching(/^svc_agt_[0-9A-Za-z]{49}$/),
      role: 'agent',
      ownerId: world.principal.id,
      label: 'laptop',
      expiresAt: null,
      environment: 'live',
      scopeProfile: 'agent-full',
      allowedIps: null,
    });
    expect(body['scopes']).toEqual([
      'records:write',
      'completions:write',
      'audit:read',
      'events:read',
      'disputes:write',
      'reputation:read',
      'schemas:read',
      'agents:read',
      'webhooks:write',
    ]);
    expect(body['nextSteps'].length).toBeGreaterThan(0);
    expect((await new Client(world.url, String(body['apiKey'])).get('/v1/auth/me')).status).toBe(
      200,
    );
    expect(JSON.stringify(await list(`ownerId=${world.principal.id}`))).not.toContain(
      body['apiKey'],
    );
  });

  it.each([
    ['agent', 'svc_agt_', 'agent-full'],
    ['admin', 'svc_adm_', 'admin-standard'],
    ['platform', 'svc_plt_', 'platform-full'],
  ])('201: the default profile of %s', async (role, prefix, scopeProfile) => {
    const { ownerId } =
      role === 'platform'
        ? await ok(world.platform.get('/v1/auth/me'))
        : { ownerId: world.principal.id };
    const body = await ok(mint({ role, ownerId }, world.platform));
    expect({ prefix: String(body['apiKey']).slice(0, 8), profile: body['scopeProfile'] }).toEqual({
      prefix,
      profile: scopeProfile,
    });
  });

  it("201: scopes of one's own, an expiry in seconds or as a time", async () => {
    expect((await ok(mint({ scopes: ['records:read'] })))['scopes']).toEqual(['records:read']);
    expect((await ok(mint({ expiresAt: '2099-01-01T00:00:00.000Z' })))['expiresAt']).toBe(
      '2099-01-01T00:00:00.000Z',
    );
    const { expiresAt } = await ok(mint({ expiresInSeconds: 3600 }));
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 3600_000)).toBeLessThan(10_000);
  });

  it('an expired key is 401 with the words of an unknown one', async () => {
    const { client } = await mintKey(world.admin, world.principal.id, { expiresInSeconds: 1 });
    expect((await client.get('/v1/auth/me')).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(expectProblem(await client.get('/v1/auth/me'), 401, 'UNAUTHORIZED')['detail']).toContain(
      'Invalid or inactive API key',
    );
  });

  it('allowedIps lets only those in', async () => {
    const { client: here } = await mintKey(world.admin, world.principal.id, {
      allowedIps: ['127.0.0.0/8', '::1/128'],
    });
    expect((await here.get('/v1/auth/me')).status).toBe(200);
    const { client: elsewhere } = await mintKey(world.admin, world.principal.id, {
      allowedIps: ['10.0.0.0/8'],
    });
    expect(
      expectProblem(await elsewhere.get('/v1/auth/me'), 401, 'UNAUTHORIZED')['detail'],
    ).toContain('Invalid or inactive API key');
    expect((await elsewhere.get('/v1/auth/me', { 'x-forwarded-for': '10.1.2.3' })).status).toBe(
      401,
    );
  });

  it('422: a platform key for an agent of an org', async () => {
    expectProblem(await mint({ role: 'platform' }, world.platform), 422, 'VALIDATION_ERROR');
  });

  it('a platform key without expiry or allowedIps brings a hint', async () => {
    const { ownerId } = await ok(world.platform.get('/v1/auth/me'));
    expect((await ok(mint({ role: 'platform', ownerId }, world.platform)))['hint']).toEqual(
      expect.any(String),
    );
  });

  it('422 with allowedValues: an unknown scope or profile', async () => {
    expect(
      expectProblem(await mint({ scopeProfile: 'agent-super' }), 422, 'VALIDATION_ERROR')[
        'allowedValues'
      ],
    ).toContain('agent-full');
    expect(
      expectProblem(await mint({ scopes: ['records:destroy'] }), 422, 'VALIDATION_ERROR')[
        'allowedValues'
      ],
    ).toContain('records:write');
    for (const scopeProfile of ['toString', '__proto__', 'constructor'])
      expectProblem(await mint({ scopeProfile }), 422, 'VALIDATION_ERROR');
  });

  it.each([
    'admin:keys',
    'admin:system',
    'admin:backfill',
    'schemas:admin',
    'schemas:manage',
    'schemas:write',
    'drift:read',
    'compliance:read',
    'compliance:write',
    'agents:manage',
    'disputes:manage',
  ])('422: %s is not for an agent key', async (scope) => {
    expectProblem(await mint({ scopes: [scope] }), 422, 'VALIDATION_ERROR');
    expectProblem(await mint({ scopes: [scope] }, world.platform), 422, 'VALIDATION_ERROR');
  });

  it('422: a profile of another role', async () => {
    expectProblem(await mint({ scopeProfile: 'admin-observer' }), 422, 'VALIDATION_ERROR');
    expectProblem(await mint({ scopeProfile: 'platform-full' }), 422, 'VALIDATION_ERROR');
  });

  describe('never exceeds its minter', () => {
    const refused = (answer: { status: number; body: Body }, cleartext: string): void => {
      expect({
        refused: [403, 422].includes(answer.status),
        status: answer.status,
        apiKey: answer.body['apiKey'],
        cleartext,
      }).toMatchObject({ refused: true, apiKey: undefined });
    };
    it('an admin mints no platform key', async () => {
      refused(await mint({ role: 'platform' }), 'platform');
      refused(await mint({ role: 'admin', scopeProfile: 'platform-full' }), 'platform-full');
      refused(await mint({ role: 'admin', scopes: ['admin:system'] }), 'admin:system');
    });
    it('an admin of few scopes mints none that it lacks', async () => {
      const { ownerId } = await ok(world.admin.get('/v1/auth/me'));
      const keysOnly = new Client(
        world.url,
        String(
          (await ok(mint({ role: 'admin', ownerId, scopes: ['admin:keys', 'records:read'] })))[
            'apiKey'
          ],
        ),
      );
      refused(await mint({ scopes: ['records:write'] }, keysOnly), 'records:write');
      refused(await mint({ scopeProfile: 'agent-full' }, keysOnly), 'agent-full');
      refused(await mint({}, keysOnly), 'default');
      refused(await mint({ role: 'admin', ownerId }, keysOnly), 'admin default');
      expect((await mint({ scopes: ['records:read'] }, keysOnly)).status).toBe(201);
    });
    it('a minter bound to addresses binds what it mints', async () => {
      const { ownerId } = await ok(world.admin.get('/v1/auth/me'));
      const bound = new Client(
        world.url,
        String(
          (await ok(mint({ role: 'admin', ownerId, allowedIps: ['127.0.0.0/8', '::1/128'] })))[
            'apiKey'
          ],
        ),
      );
      refused(await mint({ allowedIps: ['0.0.0.0/0'] }, bound), 'wider');
      const inherited = await mint({}, bound);
      if (inherited.status === 201) expect(inherited.body['allowedIps']).not.toBeNull();
      else refused(inherited, 'none');
      expect((await mint({ allowedIps: ['127.0.0.1/32'] }, bound)).status).toBe(201);
    });
    it('an agent mints nothing', async () => {
      expectProblem(await mint({}, world.principal.client), 403, 'INSUFFICIENT_SCOPE', {
        missingScopes: ['admin:keys'],
      });
    });
  });

  it('an owner of another org answers as one that does not exist', async () => {
    const foreign = await mint({ ownerId: globex.principal.id });
    const missing = await mint({ ownerId: NOBODY });
    expect({ status: foreign.status, code: foreign.body['code'] }).toEqual({
      status: missing.status,
      code: missing.body['code'],
    });
    expect([404, 422]).toContain(foreign.status);
  });

  it.each<[string, Body]>([
    ['an unknown role', { role: 'root' }],
    ['an unknown ownerType', { ownerType: 'org' }],
    ['an owner that is no UUID', { ownerId: 'me' }],
    ['an unknown member', { scope: 'x' }],
    ['an address that is none', { allowedIps: ['localhost'] }],
    ['a range that is none', { allowedIps: ['10.0.0.0/33'] }],
    ['a time that is none', { expiresAt: 'never' }],
    ['no seconds', { expiresInSeconds: 0 }],
  ])('refused: %s', async (_case, extra) => {
    const { status, body } = await mint(extra);
    expect({ refused: [400, 422].includes(status), code: body['code'] }).toEqual({
      refused: true,
      code: 'VALIDATION_ERROR',
    });
  });

  it('refused: scopes with a profile, two expiries, an expiry in the past', async () => {
    for (const extra of [
      { scopes: ['records:read'], scopeProfile: 'agent-full' },
      { expiresAt: '2099-01-01T00:00:00.000Z', expiresInSeconds: 5 },
      { expiresAt: '2001-01-01T00:00:00.000Z' },
    ])
      expect([400, 422]).toContain((await mint(extra)).status);
  });
});

describe('list', () => {
  it('200: rows without a secret', async () => {
    const { keyId } = await mintKey(world.admin, world.performer.id, { label: 'row' });
    const row = (await list(`ownerId=${world.performer.id}`)).find(
      (one) => one['keyId'] === keyId,
    )!;
    const admin = await ok(world.admin.get('/v1/auth/me'));
    expect(row).toMatchObject({
      keyId,
      ownerType: 'agent',
      ownerId: world.performer.id,
      label: 'row',
      isActive: true,
      createdByKeyId: admin['apiKeyId'],
      rotatedFromKeyId: null,
      revokedAt: null,
      revokedByKeyId: null,
      revocationReason: null,
      expiresAt: null,
      role: 'agent',
      orgId: world.orgId,
      scopeProfile: 'agent-full',
      lastUsedAt: null,
      allowedIps: null,
      managedBy: null,
    });
    expect(JSON.stringify(row)).not.toMatch(/svc_|hash|hmac|mac"/i);
  });

  it('filters by ownerId, isActive, role, neverExpires, createdBefore and neverUsed', async () => {
    const owner = await addAgent(world.admin, world.orgId, 'filtered');
    const revoked = await mintKey(world.admin, owner.id, {});
    await ok(world.admin.patch(`/v1/admin/api-keys/${revoked.keyId}`, { isActive: false }));
    const expiring = await mintKey(world.admin, owner.id, { expiresInSeconds: 3600 });
    const all = ids(await list(`ownerId=${owner.id}`));
    expect(all).toHaveLength(3);
    expect(ids(await list(`ownerId=${owner.id}&isActive=false`))).toEqual([revoked.keyId]);
    expect(ids(await list(`ownerId=${owner.id}&isActive=true`))).toEqual(
      all.filter((id) => id !== revoked.keyId),
    );
    expect(ids(await list(`ownerId=${owner.id}&neverExpires=true`))).toEqual(
      all.filter((id) => id !== expiring.keyId),
    );
    expect(await list(`ownerId=${owner.id}&role=admin`)).toEqual([]);
    expect(await list(`ownerId=${owner.id}&createdBefore=2020-01-01T00:00:00.000Z`)).toEqual([]);
    const soon = new Date(Date.now() + 60_000).toISOString();
    expect(ids(await list(`ownerId=${owner.id}&neverUsed=true&createdBefore=${soon}`))).toEqual(
      all,
    );
    await ok(owner.client.get('/v1/auth/me'));
    await expect
      .poll(
        async () => (await list(`ownerId=${owner.id}&neverUsed=true&createdBefore=${soon}`)).length,
      )
      .toBe(2);
    expect(await list(`ownerId=${owner.id}&lastUsedBefore=${soon}`)).toHaveLength(1);
  });

  it('400: neverUsed without createdBefore', async () => {
    expectProblem(
      await world.admin.get('/v1/admin/api-keys?neverUsed=true'),
      400,
      'VALIDATION_ERROR',
    );
  });

  it('an admin sees its org alone; the platform all, and orgId filters', async () => {
    expect(new Set((await list('')).map((row) => row['orgId']))).toEqual(new Set([world.orgId]));
    expect((await list('', world.platform)).map((row) => row['orgId'])).toEqual(
      expect.arrayContaining([world.orgId, globex.orgId]),
    );
    expect(
      new Set((await list(`orgId=${globex.orgId}`, world.platform)).map((row) => row['orgId'])),
    ).toEqual(new Set([globex.orgId]));
    const foreign = await world.admin.get(`/v1/admin/api-keys?orgId=${globex.orgId}`);
    expect(JSON.stringify(foreign.body['data'] ?? [])).toBe('[]');
    expect(
      (await world.admin.get(`/v1/admin/api-keys?ownerId=${globex.principal.id}`)).body['data'] ??
        [],
    ).toEqual([]);
  });
});

describe('revoke', () => {
  const revoke = (
    keyId: string,
    body: Body = { isActive: false, reason: 'lost' },
    client: Client = world.admin,
  ) => client.patch(`/v1/admin/api-keys/${keyId}`, body);

  it('takes effect with the next request, and says by whom and why', async () => {
    const { keyId, client } = await mintKey(world.admin, world.principal.id, {});
    expect((await client.get('/v1/auth/me')).status).toBe(200);
    const { status, body } = await revoke(keyId);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      keyId,
      isActive: false,
      revocationReason: 'lost',
      revokedAt: expect.any(String),
      revokedByKeyId: (await ok(world.admin.get('/v1/auth/me')))['apiKeyId'],
    });
    expect(expectProblem(await client.get('/v1/auth/me'), 401, 'UNAUTHORIZED')['detail']).toContain(
      'Invalid or inactive API key',
    );
  });

  it('of an admin key leaves the keys it minted', async () => {
    const { ownerId } = await ok(world.admin.get('/v1/auth/me'));
    const second = await ok(mint({ role: 'admin', ownerId }));
    const child = await mintKey(
      new Client(world.url, String(second['apiKey'])),
      world.principal.id,
      {},
    );
    await ok(revoke(String(second['keyId'])));
    expect((await child.client.get('/v1/auth/me')).status).toBe(200);
    expect(
      (await list(`ownerId=${world.principal.id}`)).find((row) => row['keyId'] === child.keyId)![
        'createdByKeyId'
      ],
    ).toBe(second['keyId']);
  });

  it('403 PLATFORM_REQUIRED: an admin re-enables; 200: the platform does, and the key works again', async () => {
    const { keyId, client } = await mintKey(world.admin, world.principal.id, {});
    await ok(revoke(keyId));
    expectProblem(await revoke(keyId, { isActive: true }), 403, 'PLATFORM_REQUIRED');
    expect((await ok(revoke(keyId, { isActive: true }, world.platform)))['isActive']).toBe(true);
    expect((await client.get('/v1/auth/me')).status).toBe(200);
  });

  it('404: a key of another org, exactly as one that does not exist', async () => {
    const { keyId, client } = await mintKey(globex.admin, globex.principal.id, {});
    expectProblem(await revoke(keyId), 404, 'NOT_FOUND');
    expectProblem(await revoke(keyId, { isActive: true }), 404, 'NOT_FOUND');
    expectProblem(await revoke(NOBODY), 404, 'NOT_FOUND');
    expect((await client.get('/v1/auth/me')).status).toBe(200);
  });

  it('404: an admin on a platform key', async () => {
    const { apiKeyId } = await ok(world.platform.get('/v1/auth/me'));
    expectProblem(await revoke(apiKeyId), 404, 'NOT_FOUND');
    expect((await world.platform.get('/v1/auth/me')).status).toBe(200);
  });

  it('400: other members, no UUID', async () => {
    const { keyId } = await mintKey(world.admin, world.principal.id, {});
    for (const body of [{}, { isActive: 'false' }, { isActive: false, scopes: ['records:write'] }])
      expectProblem(await revoke(keyId, body), 400, 'VALIDATION_ERROR');
    expectProblem(await revoke('x'), 400, 'VALIDATION_ERROR');
  });
});
