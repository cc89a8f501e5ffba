import { beforeAll, describe, expect, it } from 'vitest';
import { publishedBy } from '../support/clients/agent-keys.ts';
import { useApi } from '../support/service/api.ts';
import { keysOf, orgOfOne } from '../support/service/key-owners.ts';
import {
  expectIndistinguishable,
  expectProblem,
  NOBODY,
  TIMESTAMP,
} from '../support/stories/problems.ts';
import {
  addAgent,
  createWorld,
  GOAL,
  mintKey,
  ok,
  openJob,
  proposeJob,
  type Answer,
  type Body,
  type Client,
  type World,
} from '../support/service/world.ts';

const api = useApi();
let world: World;
let globex: World;
beforeAll(async () => {
  world = api.world;
  globex = await createWorld(world.url, String(world.platform.key), 'Globex');
});
const act = (
  action: 'deactivate' | 'reactivate',
  id: string,
  client: Client = world.admin,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Answer<Body>> => client.post(`/v1/admin/agents/${id}/${action}`, body, headers);
const deactivate = (id: string, client?: Client): Promise<Body> =>
  ok(act('deactivate', id, client, { reason: 'left' }));
const newAgent = (name = 'leaver') => addAgent(world.admin, world.orgId, name);
const me = (client: Client) => client.get('/v1/auth/me');

describe('POST /v1/admin/agents/{id}/deactivate', () => {
  it('200: says when and why, and revokes every active key of the agent', async () => {
    const { id } = await newAgent();
    const spare = await mintKey(world.admin, id, {});
    const earlier = await mintKey(world.admin, id, {});
    await ok(
      world.admin.patch(`/v1/admin/api-keys/${earlier.keyId}`, {
        isActive: false,
        reason: 'before',
      }),
    );
    const agent = await deactivate(id);
    expect(agent).toMatchObject({
      id,
      deactivatedAt: expect.stringMatching(TIMESTAMP),
      deactivationReason: 'left',
      suggestion: expect.any(String),
      nextSteps: expect.any(Array),
    });
    expect(await ok(world.admin.get(`/v1/agents/${id}`))).toMatchObject({
      deactivatedAt: agent['deactivatedAt'],
      deactivationReason: 'left',
    });
    const keys = await keysOf(world, id);
    const { apiKeyId } = await ok(me(world.admin));
    expect(keys.map(({ isActive }) => isActive)).toEqual([false, false, false]);
    expect(keys.find(({ keyId }) => keyId === spare.keyId)).toMatchObject({
      revokedAt: agent['deactivatedAt'],
      revokedByKeyId: apiKeyId,
      revocationReason: expect.stringContaining('deactivated'),
    });
    expect(keys.find(({ keyId }) => keyId === earlier.keyId)!['revocationReason']).toBe('before');
  });

  it('403 ACCOUNT_DEACTIVATED from the next request on, by every key that opened until then; 401 by one that did not', async () => {
    const { id, client } = await newAgent();
    const spare = await mintKey(world.admin, id, {});
    const revoked = await mintKey(world.admin, id, {});
    const bound = await mintKey(world.admin, id, { allowedIps: ['10.0.0.0/8'] });
    await ok(world.admin.patch(`/v1/admin/api-keys/${revoked.keyId}`, { isActive: false }));
    expect((await me(client)).status).toBe(200);
    const { deactivatedAt } = await deactivate(id);
    for (const one of [client, spare.client])
      expect(
        expectProblem(await me(one), 403, 'ACCOUNT_DEACTIVATED', { retryable: false })['detail'],
      ).toContain(`${id} was deactivated at ${String(deactivatedAt)}`);
    expectProblem(
      await client.post('/v1/records', { type: 'note', criteria: {} }),
      403,
      'ACCOUNT_DEACTIVATED',
    );
    expectProblem(await client.post('/v1/auth/keys/rotate'), 403, 'ACCOUNT_DEACTIVATED');
    for (const one of [revoked.client, bound.client])
      expect(expectProblem(await me(one), 401, 'UNAUTHORIZED')['detail']).toBe(
        'Invalid or inactive API key',
      );
  });

  it('200 twice: nothing changes the second time, nothing is sealed, and the first reason stays', async () => {
    const { id } = await newAgent();
    const first = await deactivate(id);
    const again = await ok(act('deactivate', id, world.admin, { reason: 'another' }));
    expect(again).toMatchObject({
      deactivatedAt: first['deactivatedAt'],
      deactivationReason: 'left',
    });
    const { entries, events } = publishedBy(api, id, 'AGENT_DEACTIVATED', 'agent.deactivated');
    expect([entries.length, events.length]).toEqual([1, 1]);
  });

  it('200: without a body, without a reason; 400: members that it does not take', async () => {
    expect((await ok(act('deactivate', (await newAgent()).id)))['deactivationReason']).toBeNull();
    const { id } = await newAgent();
    for (const body of [{ reason: 1 }, { because: 'x' }, { reason: 'x'.repeat(2001) }])
      expectProblem(await act('deactivate', id, world.admin, body), 400, 'VALIDATION_ERROR');
    expectProblem(await act('deactivate', 'x'), 400, 'VALIDATION_ERROR');
  });

  it('the answer under an Idempotency-Key is kept', async () => {
    const { id } = await newAgent();
    const call = () =>
      act(
        'deactivate',
        id,
        world.admin,
        { reason: 'once' },
        { 'idempotency-key': `deactivate-${id}` },
      );
    const first = await call();
    await ok(act('reactivate', id, world.platform));
    const replayed = await call();
    expect({ status: replayed.status, body: replayed.body }).toEqual({
      status: first.status,
      body: first.body,
    });
    expect((await ok(world.admin.get(`/v1/agents/${id}`)))['deactivatedAt']).toBeNull();
  });

  it('seals AGENT_DEACTIVATED and an API_KEY_REVOKED for each key, and tells both', async () => {
    const { id } = await newAgent();
    await mintKey(world.admin, id, {});
    await deactivate(id);
    const { entries, events } = publishedBy(api, id, 'AGENT_DEACTIVATED', 'agent.deactivated');
    expect(events).toEqual([
      expect.objectContaining({
        agentId: id,
        reason: 'left',
        actor: expect.objectContaining({ kind: 'admin' }),
      }),
    ]);
    expect(entries).toEqual([
      expect.objectContaining({
        agentId: id,
        reason: 'left',
        orgId: world.orgId,
        actor: expect.objectContaining({ kind: 'admin' }),
      }),
    ]);
    expect(publishedBy(api, id, 'API_KEY_REVOKED', 'key.revoked').events).toHaveLength(2);
  });

  it('an agent with very many keys loses all of them', async () => {
    const { id } = await newAgent('hoarder');
    await Promise.all(Array.from({ length: 60 }, () => mintKey(world.admin, id, {})));
    await deactivate(id);
    expect((await keysOf(world, id)).filter(({ isActive }) => isActive)).toEqual([]);
  });

  it('a deactivated agent gets no key, and none of it is brought back before it is', async () => {
    const { id } = await newAgent();
    const { keyId } = await mintKey(world.admin, id, {});
    await deactivate(id);
    expect(
      expectProblem(
        await world.admin.post('/v1/admin/api-keys', {
          role: 'agent',
          ownerType: 'agent',
          ownerId: id,
        }),
        422,
        'VALIDATION_ERROR',
      )['detail'],
    ).toContain('deactivated');
    expect(
      expectProblem(
        await world.platform.patch(`/v1/admin/api-keys/${keyId}`, { isActive: true }),
        422,
        'VALIDATION_ERROR',
      )['suggestion'],
    ).toContain('Reactivate');
  });

  it('of mints and rotations at the same time, none leaves a key that opens', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, client } = await newAgent('racer');
      await Promise.all([
        world.admin.post('/v1/admin/api-keys', { role: 'agent', ownerType: 'agent', ownerId: id }),
        client.post('/v1/auth/keys/rotate'),
        deactivate(id),
        world.admin.post('/v1/admin/api-keys', { role: 'agent', ownerType: 'agent', ownerId: id }),
      ]);
      expect((await keysOf(world, id)).filter(({ isActive }) => isActive)).toEqual([]);
    }
  });

  it('404: an agent of another org, exactly as one that does not exist; the platform reaches any', async () => {
    const { id } = await addAgent(globex.admin, globex.orgId, 'foreign');
    expectIndistinguishable(await act('deactivate', id), await act('deactivate', NOBODY), [
      id,
      NOBODY,
    ]);
    expectProblem(await act('deactivate', id), 404, 'NOT_FOUND');
    expect((await deactivate(id, world.platform))['deactivatedAt']).not.toBeNull();
  });

  it('403 INSUFFICIENT_SCOPE: an agent, also about itself', async () => {
    expectProblem(
      await act('deactivate', world.principal.id, world.principal.client),
      403,
      'INSUFFICIENT_SCOPE',
      { missingScopes: ['admin:keys'] },
    );
  });

  it('the agent list tells the deactivated from the others', async () => {
    const { id } = await newAgent('listed');
    await deactivate(id);
    const rows = async (query: string) =>
      (
        (await ok(world.admin.get(`/v1/admin/agents?limit=200&name=listed&${query}`)))[
          'data'
        ] as Body[]
      ).map((row) => row['id']);
    expect({
      gone: await rows('deactivated=true'),
      active: await rows('deactivated=false'),
    }).toEqual({ gone: [id], active: [] });
  });
});

describe('the last admin door', () => {
  it('403, and nothing happens, where the agent holds the only active admin key of its org; also for the platform', async () => {
    const { adminId, admin, keyId } = await orgOfOne(world, 'Last door');
    for (const client of [admin, world.platform]) {
      const problem = expectProblem(
        await act('deactivate', adminId, client, { reason: 'x' }),
        403,
        'FORBIDDEN',
      );
      expect(problem['detail']).toContain('without an active admin key');
      expect(problem['suggestion']).toContain('another agent');
    }
    expect(await ok(me(admin))).toMatchObject({ apiKeyId: keyId });
    expect((await ok(admin.get(`/v1/agents/${adminId}`)))['deactivatedAt']).toBeNull();
  });

  it('another key of the same agent, an expired one, a revoked one, one that mints nothing and one of a deactivated agent are no other door', async () => {
    const { orgId, adminId, admin } = await orgOfOne(world, 'No other door');
    const second = await ok(admin.post('/v1/admin/agents', { name: 'second', orgId }));
    const mint = (ownerId: unknown, extra: Body = {}) =>
      mintKey(admin, String(ownerId), { role: 'admin', ...extra });
    await mint(adminId);
    await mint(second['id'], { expiresInSeconds: 1 });
    await mint(second['id'], { scopeProfile: 'admin-observer' });
    await ok(
      admin.patch(`/v1/admin/api-keys/${(await mint(second['id'])).keyId}`, { isActive: false }),
    );
    const third = await ok(admin.post('/v1/admin/agents', { name: 'third', orgId }));
    await mint(third['id']);
    await deactivate(String(third['id']), admin);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expectProblem(await act('deactivate', adminId, admin), 403, 'FORBIDDEN');
    await mint(second['id']);
    expect((await act('deactivate', adminId, admin)).status).toBe(200);
    expectProblem(await me(admin), 403, 'ACCOUNT_DEACTIVATED');
  });

  it('an agent without an admin key is no door: the org may have none at all', async () => {
    const { orgId, admin, keyId } = await orgOfOne(world, 'Doorless');
    const worker = await addAgent(admin, orgId, 'worker');
    await ok(world.platform.patch(`/v1/admin/api-keys/${keyId}`, { isActive: false }));
    expect((await act('deactivate', worker.id, world.platform)).status).toBe(200);
  });

  it('an enabled issuer that lets an admin in is another door, a disabled one and one that lets nobody in are none', async () => {
    const { orgId, adminId } = await orgOfOne(world, 'By issuer');
    const issuer = await ok(
      world.platform.post('/v1/admin/trusted-issuers', {
        orgId,
        issuerUrl: 'https://id.by-issuer.example',
        jwksUri: 'https://id.by-issuer.example/keys',
        expectedAudience: 'notary-admin',
        appliesTo: 'admin',
        subjectAllowlist: [],
      }),
    );
    const path = `/v1/admin/trusted-issuers/${String(issuer['id'])}`;
    expectProblem(await act('deactivate', adminId, world.platform), 403, 'FORBIDDEN');
    await ok(world.platform.patch(path, { subjectAllowlist: ['alice'], enabled: false }));
    expectProblem(await act('deactivate', adminId, world.platform), 403, 'FORBIDDEN');
    await ok(world.platform.patch(path, { enabled: true }));
    expect((await act('deactivate', adminId, world.platform)).status).toBe(200);
  });

  it('of two last admins who are deactivated at once, one stays', async () => {
    for (let round = 0; round < 5; round++) {
      const { orgId, adminId, admin } = await orgOfOne(world, `Two doors ${round}`);
      const second = await ok(admin.post('/v1/admin/agents', { name: 'second', orgId }));
      await mintKey(admin, String(second['id']), { role: 'admin' });
      const statuses = (
        await Promise.all([
          act('deactivate', adminId, world.platform),
          act('deactivate', String(second['id']), world.platform),
        ])
      ).map(({ status }) => status);
      expect(statuses.sort()).toEqual([200, 403]);
    }
  });

  it('the platform does not shut itself out', async () => {
    const { ownerId } = await ok(me(world.platform));
    expect(
      expectProblem(await act('deactivate', String(ownerId), world.platform), 403, 'FORBIDDEN')[
        'detail'
      ],
    ).toContain('platform');
    expect((await me(world.platform)).status).toBe(200);
  });
});

describe('POST /v1/admin/agents/{id}/reactivate', () => {
  it('200: the agent acts again, with new keys alone', async () => {
    const { id, client } = await newAgent();
    await deactivate(id);
    const body = await ok(act('reactivate', id, world.platform));
    expect(body).toMatchObject({
      id,
      wasDeactivated: true,
      deactivatedAt: null,
      deactivationReason: null,
    });
    expect(expectProblem(await me(client), 401, 'UNAUTHORIZED')['detail']).toBe(
      'Invalid or inactive API key',
    );
    expect((await keysOf(world, id)).map(({ isActive }) => isActive)).toEqual([false]);
    expect((await me((await mintKey(world.admin, id, {})).client)).status).toBe(200);
    const { entries, events } = publishedBy(api, id, 'AGENT_REACTIVATED', 'agent.reactivated');
    expect(events).toHaveLength(1);
    expect(entries).toEqual([
      expect.objectContaining({
        agentId: id,
        actor: expect.objectContaining({ kind: 'platform' }),
      }),
    ]);
  });

  it('200 on an active agent: wasDeactivated false, and nothing is sealed', async () => {
    const { id, client } = await newAgent();
    expect(await ok(act('reactivate', id, world.platform))).toMatchObject({
      wasDeactivated: false,
      deactivatedAt: null,
    });
    expect(publishedBy(api, id, 'AGENT_REACTIVATED', 'agent.reactivated')).toEqual({
      entries: [],
      events: [],
    });
    expect((await me(client)).status).toBe(200);
  });

  it('403 naming the role: an admin; 404: no such agent', async () => {
    const { id } = await newAgent();
    await deactivate(id);
    expect(
      expectProblem(await act('reactivate', id), 403, 'FORBIDDEN', { allowedActors: ['platform'] })[
        'detail'
      ],
    ).toContain('platform');
    expectProblem(await act('reactivate', NOBODY, world.platform), 404, 'NOT_FOUND');
  });
});

describe('a deactivated party (records.md 3.1)', () => {
  it('422 naming the agent and the time: named as principal or performer; in bulk it fails only its item', async () => {
    const { id } = await newAgent();
    const { deactivatedAt } = await deactivate(id);
    for (const naming of [{ performerAgentId: id }, { principalAgentId: id }]) {
      const detail = String(
        expectProblem(
          await world.admin.post('/v1/records', { type: 'job', criteria: GOAL, ...naming }),
          422,
          'VALIDATION_ERROR',
        )['detail'],
      );
      expect(detail).toContain(id);
      expect(detail).toContain(String(deactivatedAt));
    }
    const bulk = await world.principal.client.post('/v1/records/bulk', [
      { type: 'job', criteria: GOAL, performerAgentId: id },
      { type: 'note', criteria: {} },
    ]);
    expect({
      status: bulk.status,
      items: (bulk.body['data'] ?? bulk.body['results'] ?? bulk.body['items']).map(
        (item: Body) => item['status'],
      ),
    }).toEqual({ status: 207, items: [422, 201] });
  });

  it('an admin of its org acts for its side, signed as admin; the record itself did not change', async () => {
    const performer = await newAgent('quitter');
    const record = await openJob(world, { performerAgentId: performer.id });
    await deactivate(performer.id);
    expect(
      (await ok(world.principal.client.get(`/v1/records/${String(record['id'])}`)))['status'],
    ).toBe('ACTIVE');
    expect(
      (
        await world.admin.post(`/v1/records/${String(record['id'])}/completions`, {
          evidence: { score: 9 },
        })
      ).status,
    ).toBe(201);
  });

  it('422: nothing more is delegated by it, nor started with it', async () => {
    const performer = await newAgent('delegator');
    const record = await openJob(world, { performerAgentId: performer.id });
    const proposed = await proposeJob(world, { performerAgentId: performer.id });
    await deactivate(performer.id);
    const child = await world.admin.post('/v1/records', {
      type: 'job',
      criteria: GOAL,
      parentRecordId: record['id'],
      performerAgentId: world.performer.id,
    });
    expect(expectProblem(child, 422, 'VALIDATION_ERROR')['detail']).toContain('deactivated');
    expect((await world.admin.post(`/v1/records/${String(proposed['id'])}/accept`)).status).toBe(
      422,
    );
  });
});
