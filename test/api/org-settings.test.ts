import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { tracesOfAct } from '../support/stories/acts.ts';
import { useApi } from '../support/service/api.ts';
import { bodyHeaders, useCoSigners, type Holder } from '../support/clients/co-signing.ts';
import { AUDIENCE, OIDC_ENV } from '../support/peers/oidc.ts';
import { expectProblem, NOBODY } from '../support/stories/problems.ts';
import {
  Client,
  createWorld,
  mintKey,
  ok,
  type Answer,
  type Body,
} from '../support/service/world.ts';

const api = useApi(OIDC_ENV);
const signers = useCoSigners(api, 'records:write records:read audit:read');
const NOTE = JSON.stringify({ type: 'note', criteria: {} });

const patch = (settings: unknown, client: Client = api.world.admin): Promise<Answer<Body>> =>
  client.patch(`/v1/admin/orgs/${api.world.orgId}`, { settings });
const demand = (requireCoSignature: string): Promise<Body> => ok(patch({ requireCoSignature }));
afterEach(() => demand('none'));

const settingsShown = async (client: Client, id = api.world.orgId): Promise<unknown> =>
  (await ok(client.get('/v1/admin/orgs?limit=200')))['data'].find((org: Body) => org['id'] === id)
    ?.settings;

describe('settings.requireCoSignature of an org', () => {
  it('is none where nobody says otherwise, and is given at its creation', async () => {
    expect(await settingsShown(api.world.admin)).toEqual({ requireCoSignature: 'none' });
    const { id, settings } = await ok(
      api.world.platform.post('/v1/admin/orgs', {
        name: 'Strict',
        settings: { requireCoSignature: 'request' },
      }),
    );
    expect(settings).toEqual({ requireCoSignature: 'request' });
    expect(await settingsShown(api.world.platform, String(id))).toEqual(settings);
  });

  it('is changed by an admin of the org and by the platform, and sealed with what it was before', async () => {
    const { result, entries, events } = await tracesOfAct(api, () => demand('request'));
    expect(result).toMatchObject({
      id: api.world.orgId,
      settings: { requireCoSignature: 'request' },
      suggestion: expect.stringContaining('certificates'),
      nextSteps: [expect.objectContaining({ action: 'list' })],
    });
    const says = {
      settings: { requireCoSignature: 'request' },
      previousSettings: { requireCoSignature: 'none' },
    };
    expect(entries).toEqual([
      expect.objectContaining({
        type: 'ORG_UPDATED',
        says: expect.objectContaining({
          ...says,
          orgId: api.world.orgId,
          actor: expect.objectContaining({ kind: 'admin' }),
        }),
      }),
    ]);
    expect(events).toEqual([
      expect.objectContaining({
        type: 'admin.org_updated',
        says: expect.objectContaining({ ...says, aboutOrgId: api.world.orgId }),
      }),
    ]);
    const again = await tracesOfAct(api, () => demand('request'));
    expect([again.entries, again.events]).toEqual([[], []]);
    expect(
      (await ok(patch({ requireCoSignature: 'body' }, api.world.platform)))['settings'],
    ).toEqual({ requireCoSignature: 'body' });
  });

  it('is refused where it is none of the three, where nothing is changed, and to who does not govern the org', async () => {
    for (const settings of [{ requireCoSignature: 'always' }, {}, { other: 1 }, null])
      expectProblem(await patch(settings), 400, 'VALIDATION_ERROR');
    const { world } = api;
    const other = await createWorld(world.url, String(world.platform.key), 'Globex');
    expectProblem(await patch({ requireCoSignature: 'body' }, other.admin), 404, 'NOT_FOUND');
    expectProblem(
      await world.platform.patch(`/v1/admin/orgs/${NOBODY}`, {
        settings: { requireCoSignature: 'body' },
      }),
      404,
      'NOT_FOUND',
    );
    expect((await patch({ requireCoSignature: 'body' }, world.principal.client)).status).toBe(403);
    const { client: observer } = await mintKey(
      world.admin,
      String((await ok(world.admin.get('/v1/auth/me')))['ownerId']),
      { role: 'admin', scopeProfile: 'admin-observer' },
    );
    expectProblem(await patch({ requireCoSignature: 'body' }, observer), 403, 'INSUFFICIENT_SCOPE');
    expect(await settingsShown(world.admin)).toEqual({ requireCoSignature: 'none' });
  });
});

describe('an org that demands co-signatures', () => {
  let agent: Holder;
  beforeAll(async () => {
    agent = await signers.holder();
  });
  const issuer = (requireCoSignature: string): Promise<Body> =>
    ok(
      api.world.platform.patch(`/v1/admin/trusted-issuers/${signers.issuerId}`, {
        requireCoSignature,
      }),
    );

  it('request: refuses an API key on writes and reads, and says why and what to do', async () => {
    await demand('request');
    const { world } = api;
    for (const answer of [
      await world.principal.client.call('POST', '/v1/records', NOTE),
      await world.principal.client.get('/v1/records'),
      await world.admin.get('/v1/records'),
      await world.admin.post('/v1/schemas', { type: 'late', completionSchema: {} }),
    ]) {
      const { detail, suggestion } = expectProblem(answer, 403, 'FORBIDDEN', {
        reason: 'co_signature_required',
      });
      expect(detail).toContain('settings.requireCoSignature: request');
      expect(detail).toContain('an API key is bound to no key');
      expect(suggestion).toContain('POST /v1/auth/oidc/cert');
    }
  });

  it('request: takes an agent with a certificate that signs the whole request, reads included', async () => {
    await demand('request');
    expect((await agent.client.call('POST', '/v1/records', NOTE)).status).toBe(401);
    expect(
      (await agent.client.call('POST', '/v1/records', NOTE, bodyHeaders(agent, NOTE))).status,
    ).toBe(401);
    const { id } = await ok(signers.send(agent, 'POST', '/v1/records', NOTE));
    const refused = await agent.client.get(`/v1/records/${String(id)}`);
    expectProblem(refused, 401, 'UNAUTHORIZED', { reason: 'co_signature_required' });
    expect(refused.body['detail']).toMatch(/^The org demands/);
    expect((await signers.send(agent, 'GET', `/v1/records/${String(id)}`)).status).toBe(200);
  });

  it('body: refuses an API key on writes alone', async () => {
    await demand('body');
    const { client } = api.world.principal;
    expectProblem(await client.call('POST', '/v1/records', NOTE), 403, 'FORBIDDEN', {
      reason: 'co_signature_required',
    });
    expect((await client.get('/v1/records')).status).toBe(200);
  });

  it('counts beside what the issuer demands: the stricter of the two', async () => {
    const statuses = async (): Promise<readonly number[]> => [
      (await agent.client.call('POST', '/v1/records', NOTE)).status,
      (await agent.client.get('/v1/records')).status,
    ];
    for (const [ofOrg, ofIssuer, expected] of [
      ['none', 'none', [201, 200]],
      ['body', 'none', [401, 200]],
      ['none', 'body', [401, 200]],
      ['body', 'request', [401, 401]],
      ['request', 'body', [401, 401]],
    ] as const) {
      await demand(ofOrg);
      await issuer(ofIssuer);
      expect([ofOrg, ofIssuer, await statuses()]).toEqual([ofOrg, ofIssuer, expected]);
    }
    await issuer('none');
  });

  it('refuses the token of an administrator as well, and lets it take the demand back', async () => {
    await ok(
      api.world.platform.post('/v1/admin/trusted-issuers', {
        orgId: api.world.orgId,
        issuerUrl: signers.oidc.issuer,
        expectedAudience: `${AUDIENCE}/admin`,
        appliesTo: 'admin',
        subjectAllowlist: ['alice'],
      }),
    );
    await demand('request');
    const alice = new Client(
      api.world.url,
      await signers.oidc.forge({
        sub: 'alice',
        role: 'admin',
        aud: `${AUDIENCE}/admin`,
        scope: 'admin:keys records:read',
      }),
    );
    const refused = await alice.get('/v1/records');
    expectProblem(refused, 403, 'FORBIDDEN', { reason: 'co_signature_required' });
    expect(refused.body['detail']).toContain('the token of an administrator');
    expect((await patch({ requireCoSignature: 'none' }, alice)).status).toBe(200);
  });

  it('stays open to who governs it: settings, agents, keys, and who it is', async () => {
    await demand('request');
    const { world } = api;
    const { id } = await ok(
      world.admin.post('/v1/admin/agents', { name: 'late', orgId: world.orgId }),
    );
    const { keyId, client } = await mintKey(world.admin, String(id), {});
    expect((await client.get('/v1/auth/me')).status).toBe(200);
    expect((await client.get('/v1/records')).status).toBe(403);
    expect(
      (await world.admin.patch(`/v1/admin/api-keys/${keyId}`, { isActive: false })).status,
    ).toBe(200);
    expect(await settingsShown(world.admin)).toEqual({ requireCoSignature: 'request' });
    await demand('none');
    expect((await world.admin.get('/v1/records')).status).toBe(200);
  });

  it('demands nothing of the platform, nor of the agents of another org that work for it', async () => {
    await demand('request');
    const { world } = api;
    expect((await world.platform.get('/v1/records')).status).toBe(200);
    const other = await createWorld(world.url, String(world.platform.key), 'Initech');
    const offer = JSON.stringify({
      type: 'job',
      criteria: { goal: 'g' },
      performerAgentId: other.performer.id,
    });
    const { id } = await ok(signers.send(agent, 'POST', '/v1/records', offer));
    expect((await other.performer.client.post(`/v1/records/${String(id)}/accept`)).status).toBe(
      200,
    );
  });
});
