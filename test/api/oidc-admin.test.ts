import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPE_PROFILES } from '../../domain/identity/scopes.ts';
import { useApi } from '../support/service/api.ts';
import { publishedBy } from '../support/clients/agent-keys.ts';
import { AUDIENCE, OIDC_ENV, startOidc, type Oidc } from '../support/peers/oidc.ts';
import { Client, ok, type Answer, type Body } from '../support/service/world.ts';

const api = useApi(OIDC_ENV);
let org: Oidc;
let hub: Oidc;
const issuers: { [name: string]: string } = {};

const bearer = async (oidc: Oidc, claims: Body) =>
  new Client(api.world.url, await oidc.forge({ sub: 'alice', scope: undefined, ...claims }));
const refusal = ({ status, body }: Answer<Body>): string => `${status} ${String(body['reason'])}`;
const me = async (oidc: Oidc, claims: Body) => (await bearer(oidc, claims)).get('/v1/auth/me');

beforeAll(async () => {
  [org, hub] = await Promise.all([startOidc('RS256'), startOidc('EdDSA')]);
  const register = async (name: string, body: Body) =>
    void (issuers[name] = String(
      (
        await ok(
          api.world.platform.post('/v1/admin/trusted-issuers', {
            expectedAudience: AUDIENCE,
            appliesTo: 'admin',
            subjectAllowlist: ['alice'],
            ...body,
          }),
        )
      )['id'],
    ));
  await register('org', { orgId: api.world.orgId, issuerUrl: org.issuer });
  await register('hub', { orgId: null, issuerUrl: hub.issuer });
});
afterAll(() => Promise.all([org.close(), hub.close()]));

it('a token that is bound to a key of its holder is no bearer', async () => {
  expect(refusal(await me(org, { role: 'admin', cnf: { jkt: 'x'.repeat(43) } }))).toBe(
    '401 proof_invalid',
  );
});

describe('an administrator with a token of an identity provider, and no key', () => {
  it.each(['admin', 'org'])(
    'governs the org of the issuer with the role claim %s',
    async (role) => {
      const client = await bearer(org, { role });
      expect(await ok(client.get('/v1/auth/me'))).toEqual({
        apiKeyId: null,
        role: 'admin',
        ownerId: null,
        ownerType: null,
        orgId: api.world.orgId,
        scopes: SCOPE_PROFILES['admin-standard'].scopes,
        name: 'alice',
        authType: 'oidc',
        cert: null,
        oidc: { iss: org.issuer, sub: 'alice' },
      });
      expect((await client.get('/v1/records')).status).toBe(200);
    },
  );

  it('is the platform only through an issuer without an org', async () => {
    expect(await ok(me(hub, { role: 'platform' }))).toMatchObject({
      role: 'platform',
      orgId: null,
      scopes: SCOPE_PROFILES['platform-full'].scopes,
      authType: 'oidc',
    });
    expect(refusal(await me(org, { role: 'platform' }))).toBe('401 role_unknown');
    expect(refusal(await me(hub, { role: 'admin' }))).toBe('401 role_unknown');
    expect(refusal(await me(org, {}))).toBe('401 role_unknown');
    expect(refusal(await me(org, { role: ['admin'] }))).toBe('401 role_unknown');
  });

  it('may do what the role may, narrowed by the scopes that are asserted', async () => {
    expect(
      (await ok(me(org, { role: 'admin', scope: 'records:read admin:keys admin:system openid' })))[
        'scopes'
      ],
    ).toEqual(['records:read', 'admin:keys']);
    expect((await ok(me(org, { role: 'admin', scope: 'openid' })))['scopes']).toEqual([]);
    expect(
      (await (await bearer(org, { role: 'admin', scope: 'records:read' })).get('/v1/admin/agents'))
        .status,
    ).toBe(403);
  });

  it('is let in by name alone, and only as long as the list and the issuer say so', async () => {
    expect(refusal(await me(org, { role: 'admin', sub: 'mallory' }))).toBe(
      '401 subject_not_allowlisted',
    );
    const path = `/v1/admin/trusted-issuers/${issuers['org']}`;
    await ok(api.world.platform.patch(path, { subjectAllowlist: [] }));
    expect(refusal(await me(org, { role: 'admin' }))).toBe('401 subject_not_allowlisted');
    await ok(api.world.platform.patch(path, { subjectAllowlist: ['alice'], enabled: false }));
    expect(refusal(await me(org, { role: 'admin' }))).toBe('401 issuer_disabled');
    await ok(api.world.platform.patch(path, { enabled: true }));
    expect((await me(org, { role: 'admin' })).status).toBe(200);
  });

  it('is refused with 401 for whatever is wrong with the token', async () => {
    expect(refusal(await me(org, { role: 'admin', exp: 1 }))).toBe('401 token_expired');
    expect(refusal(await me(org, { role: 'admin', exp: 'soon' }))).toBe('401 malformed_token');
    expect(refusal(await me(org, { role: 'admin', aud: 'x' }))).toBe('401 audience_mismatch');
    expect(refusal(await me(org, { role: 'admin', iss: 'https://x.example' }))).toBe(
      '401 unknown_issuer',
    );
    const broken = await new Client(api.world.url, 'a.b.c').get('/v1/auth/me');
    expect([refusal(broken), broken.headers.get('www-authenticate')]).toEqual([
      '401 malformed_token',
      expect.stringContaining('invalid_token'),
    ]);
  });

  it('is named in what is sealed, by issuer and subject', async () => {
    const client = await bearer(org, { role: 'admin' });
    const { id } = await ok(
      client.post('/v1/admin/agents', { name: 'by-alice', orgId: api.world.orgId }),
    );
    const { entries } = publishedBy(api, String(id), 'AGENT_CREATED', 'agent.created');
    expect(entries[0]!['actor']).toEqual({
      kind: 'admin',
      orgId: api.world.orgId,
      oidc: { iss: org.issuer, sub: 'alice' },
    });
    await ok(client.post('/v1/schemas', { type: 'by-alice', completionSchema: {} }));
    expect((await client.post('/v1/auth/keys/rotate')).status).toBe(422);
  });

  it('repeats a call under an Idempotency-Key with another token of the same subject; another subject’s key is another', async () => {
    const call = async (oidc: Oidc, claims: Body) =>
      (await bearer(oidc, { role: 'admin', ...claims })).post(
        '/v1/admin/agents',
        { name: 'once', orgId: api.world.orgId },
        { 'idempotency-key': 'k1' },
      );
    const [first, second] = [await call(org, {}), await call(org, {})];
    expect(second.body['id']).toBe(first.body['id']);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    await ok(
      api.world.platform.patch(`/v1/admin/trusted-issuers/${issuers['org']}`, {
        subjectAllowlist: ['alice', 'bob'],
      }),
    );
    expect((await call(org, { sub: 'bob' })).body['id']).not.toBe(first.body['id']);
  });

  it('keeps the orgs apart that trust one provider: a key that was used in one of them is new in the other', async () => {
    const other = await ok(api.world.platform.post('/v1/admin/orgs', { name: 'Second home' }));
    await ok(
      api.world.platform.post('/v1/admin/trusted-issuers', {
        orgId: other.id,
        issuerUrl: org.issuer,
        expectedAudience: 'second-home',
        appliesTo: 'admin',
        subjectAllowlist: ['alice'],
      }),
    );
    const register = async (aud: string) =>
      (await bearer(org, { role: 'admin', aud })).post(
        '/v1/schemas',
        { type: 'twice-at-home', completionSchema: {} },
        { 'idempotency-key': 'home' },
      );
    const [first, second] = [await register(AUDIENCE), await register('second-home')];
    expect([first.status, second.status, second.headers.get('idempotency-replayed')]).toEqual([
      201,
      201,
      null,
    ]);
  });

  it('is not let in by a token that names the audience of agents too: it is not clear what it is for', async () => {
    const { id } = await ok(
      api.world.platform.post('/v1/admin/trusted-issuers', {
        orgId: api.world.orgId,
        issuerUrl: org.issuer,
        expectedAudience: 'for-agents',
      }),
    );
    const answer = refusal(await me(org, { role: 'admin', aud: [AUDIENCE, 'for-agents'] }));
    await ok(api.world.platform.call('DELETE', `/v1/admin/trusted-issuers/${String(id)}`));
    expect(answer).toBe('401 audience_mismatch');
    expect(
      refusal(await me(org, { role: 'admin', aud: [AUDIENCE, 'https://elsewhere.example'] })),
    ).toBe('200 undefined');
  });

  it('gets no certificate of it', async () => {
    const { status, body } = await api.world.anonymous.post('/v1/auth/oidc/cert', {
      oidcToken: await org.forge({ role: 'admin' }),
      publicKeyJwk: {},
      proofOfPossession: '',
    });
    expect([status, body['reason']]).toEqual([401, 'unknown_issuer']);
  });
});
