import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem, UUID } from '../support/stories/problems.ts';
import { Client, mintKey, ok, sleep, unknownKey, type Body } from '../support/service/world.ts';

const api = useApi();
const mintAgent = (extra: Body = {}) => mintKey(api.world.admin, api.world.principal.id, extra);
const me = (client: Client) => client.get('/v1/auth/me');
const rotate = (client: Client, body?: unknown) => client.post('/v1/auth/keys/rotate', body);
const clientOf = (body: Body): Client => new Client(api.world.url, String(body['apiKey']));

describe('GET /v1/auth/me', () => {
  it('200: an agent', async () => {
    const { keyId, client } = await mintAgent({ scopes: ['records:read'] });
    expect(await ok(me(client))).toMatchObject({
      apiKeyId: keyId,
      role: 'agent',
      ownerId: api.world.principal.id,
      ownerType: 'agent',
      orgId: api.world.orgId,
      scopes: ['records:read'],
      name: expect.any(String),
      authType: 'api_key',
      cert: null,
      oidc: null,
    });
  });
  it('200: an admin of its org, and a platform key of none', async () => {
    expect(await ok(me(api.world.admin))).toMatchObject({
      role: 'admin',
      orgId: api.world.orgId,
      ownerId: expect.stringMatching(UUID),
    });
    expect(await ok(me(api.world.platform))).toMatchObject({
      role: 'platform',
      orgId: null,
      ownerId: expect.stringMatching(UUID),
    });
  });
});

describe('401', () => {
  it('a missing key: the detail says so', async () => {
    expect(
      expectProblem(await me(api.world.anonymous), 401, 'UNAUTHORIZED', {
        type: '/problems/unauthorized',
        retryable: false,
      })['detail'],
    ).toMatch(/missing/i);
  });

  it.each<[string, (key: string) => string]>([
    ['an unknown key', () => 'Bearer svc_agt_' + 'a'.repeat(49)],
    [
      'a key with one character changed',
      (key) => `Bearer ${key.slice(0, 20)}${key[20] === 'A' ? 'B' : 'A'}${key.slice(21)}`,
    ],
    ['a key of another role', (key) => `Bearer ${key.replace('svc_agt_', 'svc_plt_')}`],
    ['a cut key', (key) => `Bearer ${key.slice(0, -1)}`],
    ['no key at all after Bearer', () => 'Bearer '],
    ['two keys', (key) => `Bearer ${key} ${key}`],
    ['another shape', () => 'Bearer x'],
    ['a JWT', () => 'Bearer eyJhbGciOiJub25lIn0.e30.'],
    ['10,000 characters', () => `Bearer ${'a'.repeat(10_000)}`],
    ['Basic', (key) => `Basic ${Buffer.from(`x:${key}`).toString('base64')}`],
    ['the bare key', (key) => key],
  ])('%s', async (_case, header) => {
    const { client } = await mintAgent();
    const answer = await api.world.anonymous.get('/v1/auth/me', {
      authorization: header(String(client.key)),
    });
    expectProblem(answer, 401, 'UNAUTHORIZED');
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
    expect(JSON.stringify(answer.body)).not.toContain(String(client.key).slice(8, 30));
  });

  it('an unknown key and a revoked one read the same', async () => {
    const { keyId, client } = await mintAgent();
    await ok(api.world.admin.patch(`/v1/admin/api-keys/${keyId}`, { isActive: false }));
    const revoked = await me(client);
    const unknown = await me(new Client(api.world.url, unknownKey()));
    expect(revoked.body['detail']).toBe('Invalid or inactive API key');
    expect(revoked.body).not.toHaveProperty('recoveryHint');
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...revoked.body, requestId: '' });
    expect(revoked.headers.get('www-authenticate')).toContain('invalid_token');
  });

  it('a mistyped key and another text read the same, and the recovery hint says what is wrong', async () => {
    const key = unknownKey();
    const wrong = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
    for (const [text, hint] of [
      [wrong, /^The checksum at the end of this key does not fit: it was mistyped or cut\./],
      [key.slice(0, -1), /^This text does not have the form of an API key, which is svc_agt_,/],
      ['x', /^This text does not have the form of an API key/],
    ] as const) {
      const { body, status } = await me(new Client(api.world.url, text));
      expect([status, body['detail']]).toEqual([401, 'Invalid or inactive API key']);
      expect(body['recoveryHint']).toMatch(hint);
    }
  });

  it('the scheme is not case-sensitive (RFC 9110 section 11.1)', async () => {
    const { client } = await mintAgent();
    expect(
      (await api.world.anonymous.get('/v1/auth/me', { authorization: `bearer ${client.key}` }))
        .status,
    ).toBe(200);
  });
});

describe('POST /v1/auth/keys/rotate', () => {
  it('201 without grace: the old key is dead at once, the new one has all that it had', async () => {
    const { keyId, client } = await mintAgent({
      scopes: ['records:read', 'audit:read'],
      label: 'rotating',
      allowedIps: ['127.0.0.0/8', '::1/128'],
    });
    const { status, body } = await rotate(client);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      keyId: expect.stringMatching(UUID),
      apiKey: expect.stringMatching(/^svc_agt_/),
      role: 'agent',
      ownerId: api.world.principal.id,
      label: 'rotating',
      scopes: ['records:read', 'audit:read'],
      allowedIps: ['127.0.0.0/8', '::1/128'],
      previousKeyId: keyId,
      previousKeyDeactivatesAt: expect.any(String),
    });
    expect(Math.abs(Date.parse(body['previousKeyDeactivatesAt']) - Date.now())).toBeLessThan(
      10_000,
    );
    expectProblem(await me(client), 401, 'UNAUTHORIZED');
    expect(await ok(me(clientOf(body)))).toMatchObject({ apiKeyId: body['keyId'] });
    const rows = (
      await ok(
        api.world.admin.get(`/v1/admin/api-keys?limit=200&ownerId=${api.world.principal.id}`),
      )
    )['data'] as Body[];
    expect(rows.find((row) => row['keyId'] === body['keyId'])!['rotatedFromKeyId']).toBe(keyId);
    expect(rows.find((row) => row['keyId'] === keyId)!['isActive']).toBe(false);
  });

  it('201 with grace: both work until it ends', async () => {
    const { client } = await mintAgent();
    const { body } = await rotate(client, { gracePeriodSeconds: 1 });
    expect(Math.abs(Date.parse(body['previousKeyDeactivatesAt']) - Date.now() - 1000)).toBeLessThan(
      5000,
    );
    expect((await me(client)).status).toBe(200);
    expect((await me(clientOf(body))).status).toBe(200);
    await sleep(1300);
    expectProblem(await me(client), 401, 'UNAUTHORIZED');
    expect((await me(clientOf(body))).status).toBe(200);
  });

  it('a key in its grace does not rotate', async () => {
    const { client } = await mintAgent();
    await ok(rotate(client, { gracePeriodSeconds: 3600 }));
    const again = await rotate(client, { gracePeriodSeconds: 3600 });
    expectProblem(again, 422, 'VALIDATION_ERROR');
    expect(again.body['apiKey']).toBeUndefined();
  });

  it('a grace of 0 is none', async () => {
    const { client } = await mintAgent();
    await ok(rotate(client, { gracePeriodSeconds: 0 }));
    expect((await me(client)).status).toBe(401);
  });

  it('a grace beyond the cap is the cap, and the answer says when it ends', async () => {
    const { client } = await mintAgent();
    const { previousKeyDeactivatesAt } = await ok(rotate(client, { gracePeriodSeconds: 700_000 }));
    expect(Math.abs(Date.parse(previousKeyDeactivatesAt) - Date.now() - 604_800_000)).toBeLessThan(
      5000,
    );
  });

  it('a key that was to expire does not become one that lives longer than it was given', async () => {
    const { client } = await mintAgent({ expiresInSeconds: 600 });
    const { expiresAt } = await ok(rotate(client));
    expect(expiresAt).not.toBeNull();
    expect(Date.parse(expiresAt)).toBeLessThanOrEqual(Date.now() + 605_000);
  });

  it('a grace ends no later than the old key does', async () => {
    const { client } = await mintAgent({ expiresInSeconds: 60 });
    const rotated = await ok(rotate(client, { gracePeriodSeconds: 3_600 }));
    expect(rotated['previousKeyDeactivatesAt']).toBe(rotated['expiresAt']);
  });

  it('rotations at once: one new key comes of it', async () => {
    const { client } = await mintAgent();
    const answers = await Promise.all([1, 2, 3, 4].map(() => rotate(client)));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    for (const { status } of answers) expect([201, 401, 403, 409, 422]).toContain(status);
  });

  it('400: what it does not take', async () => {
    const { client } = await mintAgent();
    for (const body of [
      { gracePeriodSeconds: -1 },
      { gracePeriodSeconds: '5' },
      { gracePeriodSeconds: 1.5 },
      { grace: 5 },
    ])
      expectProblem(await rotate(client, body), 400, 'VALIDATION_ERROR');
    expect((await me(client)).status).toBe(200);
  });
});
