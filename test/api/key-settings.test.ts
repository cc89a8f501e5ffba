import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectIndistinguishable, expectProblem } from '../support/stories/problems.ts';
import { Client, mintKey, ok, unknownKey, type Body } from '../support/service/world.ts';

describe('an operator who bounds the life of keys', () => {
  const api = useApi({
    API_KEY_DEFAULT_LIFETIME_SECONDS: '3600',
    API_KEY_MAX_LIFETIME_SECONDS: '7200',
    KEY_ROTATION_MAX_GRACE_SECONDS: '0',
    ENVIRONMENT: 'test',
  });
  const mint = (extra: object) =>
    api.world.admin.post('/v1/admin/api-keys', {
      role: 'agent',
      ownerType: 'agent',
      ownerId: api.world.principal.id,
      ...extra,
    });
  const lifetime = (expiresAt: unknown): number =>
    Math.round((Date.parse(String(expiresAt)) - Date.now()) / 1000);

  it('gives a key that asks for nothing the default, and says the environment', async () => {
    const { expiresAt, environment } = await ok(mint({}));
    expect(Math.abs(lifetime(expiresAt) - 3600)).toBeLessThan(10);
    expect(environment).toBe('test');
  });

  it('gives none more than the maximum, by mint or by rotation', async () => {
    expect(
      Math.abs(lifetime((await ok(mint({ expiresInSeconds: 7200 })))['expiresAt']) - 7200),
    ).toBeLessThan(10);
    const { status, body } = await mint({ expiresInSeconds: 7201 });
    if (status === 201) expect(lifetime(body['expiresAt'])).toBeLessThanOrEqual(7200);
    else expectProblem(await mint({ expiresInSeconds: 7201 }), 422, 'VALIDATION_ERROR');
    const far = await mint({ expiresAt: '2099-01-01T00:00:00.000Z' });
    if (far.status === 201) expect(lifetime(far.body['expiresAt'])).toBeLessThanOrEqual(7200);
    const { client } = await mintKey(api.world.admin, api.world.principal.id, {});
    expect(
      lifetime((await ok(client.post('/v1/auth/keys/rotate')))['expiresAt']),
    ).toBeLessThanOrEqual(7200);
  });

  const expiryAfterRotation = async (client: Client): Promise<[Client, string]> => {
    const { apiKey, expiresAt } = await ok(client.post('/v1/auth/keys/rotate'));
    return [new Client(api.world.url, String(apiKey)), String(expiresAt)];
  };

  it.each([
    ['expiresInSeconds', { expiresInSeconds: 600 }],
    ['expiresAt', { expiresAt: new Date(Date.now() + 600_000).toISOString() }],
  ])('rotates a key whose mint gave %s into no longer life, however often', async (_how, asked) => {
    const minted = await ok(mint(asked));
    let client = new Client(api.world.url, String(minted['apiKey']));
    for (let rotations = 0; rotations < 3; rotations++) {
      const [next, expiresAt] = await expiryAfterRotation(client);
      expect(expiresAt).toBe(minted['expiresAt']);
      client = next;
    }
  });

  it('renews the default lifetime at a rotation', async () => {
    const minted = await ok(mint({}));
    const client = new Client(api.world.url, String(minted['apiKey']));
    const [, expiresAt] = await expiryAfterRotation(client);
    expect(expiresAt > String(minted['expiresAt'])).toBe(true);
    expect(Math.abs(lifetime(expiresAt) - 3600)).toBeLessThan(10);
  });

  it('gives the first platform key no more than the maximum', async () => {
    const { data } = await ok(api.world.platform.get('/v1/admin/api-keys?role=platform'));
    expect((data as Body[]).map((key) => Math.abs(lifetime(key['expiresAt']) - 7200) < 60)).toEqual(
      [true],
    );
  });

  it('without grace: a rotation leaves no old key alive', async () => {
    const { client } = await mintKey(api.world.admin, api.world.principal.id, {});
    const body = await ok(client.post('/v1/auth/keys/rotate', { gracePeriodSeconds: 600 }));
    expect((await client.get('/v1/auth/me')).status).toBe(401);
    expect(
      (await new Client(api.world.url, String(body['apiKey'])).get('/v1/auth/me')).status,
    ).toBe(200);
  });
});

describe('a service behind a trusted proxy', () => {
  const api = useApi({ TRUSTED_PROXIES: '127.0.0.0/8,::1/128', RATE_LIMIT_ANONYMOUS: '100' });

  it('takes the rightmost untrusted hop of X-Forwarded-For, IPv4-mapped ones as IPv4', async () => {
    const { client } = await mintKey(api.world.admin, api.world.principal.id, {
      allowedIps: ['203.0.113.0/24'],
    });
    const from = async (hops: string): Promise<number> =>
      (await client.get('/v1/auth/me', { 'x-forwarded-for': hops })).status;
    expect(await from('203.0.113.7')).toBe(200);
    expect(await from('::ffff:203.0.113.7')).toBe(200);
    expect(await from('198.51.100.1, 203.0.113.7')).toBe(200);
    expect(await from('203.0.113.7, 127.0.0.1')).toBe(200);
    expect(await from('203.0.113.7, 198.51.100.1')).toBe(401);
    expect(await from('198.51.100.1')).toBe(401);
    expect(await from('203.0.113.7:4711')).toBe(200);
    expect(await from('not an address')).toBe(401);
    expect(await from('203.0.113.7, not an address')).toBe(401);
    expect(await from('')).toBe(401);
  });

  it('answers a key from a forbidden address exactly as an unknown one', async () => {
    const { client } = await mintKey(api.world.admin, api.world.principal.id, {
      allowedIps: ['2001:db8::/32'],
    });
    const forwarded = { 'x-forwarded-for': '2001:db9::1' };
    expect((await client.get('/v1/auth/me', { 'x-forwarded-for': '2001:db8::1' })).status).toBe(
      200,
    );
    const unknown = await new Client(api.world.url, unknownKey()).get('/v1/auth/me', forwarded);
    expectIndistinguishable(await client.get('/v1/auth/me', forwarded), unknown, []);
  });

  it('counts an address that guesses, not the proxy that it comes through', async () => {
    const guess = (address: string) =>
      new Client(api.world.url, `svc_agt_${'a'.repeat(49)}`).get('/v1/auth/me', {
        'x-forwarded-for': address,
      });
    const left = async (address: string): Promise<number> =>
      Number((await guess(address)).headers.get('x-ratelimit-remaining'));
    expect([await left('192.0.2.1'), await left('192.0.2.1'), await left('192.0.2.2')]).toEqual([
      99, 98, 99,
    ]);
  });
});
