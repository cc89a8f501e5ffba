import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectIndistinguishable, NOBODY } from '../support/stories/problems.ts';
import {
  addAgent,
  createWorld,
  GOAL,
  mintKey,
  ok,
  openDelivered,
  proposeJob,
  type Answer,
  type Body,
  type Client,
  type World,
} from '../support/service/world.ts';

const api = useApi();
let globex: World;
let record: { id: string; completionId: string };
let strangers: readonly (readonly [string, Client])[];

beforeAll(async () => {
  globex = await createWorld(api.world.url, String(api.world.platform.key), 'Globex');
  record = await openDelivered(api.world);
  strangers = [
    [
      'an agent of the same org',
      (await addAgent(api.world.admin, api.world.orgId, 'stranger')).client,
    ],
    ['an agent of another org', globex.principal.client],
    ['an admin of another org', globex.admin],
  ];
});

/** Every way to reach a record. */
const DOORS: readonly (readonly [string, (client: Client, id: string) => Promise<Answer<Body>>])[] =
  [
    ['GET record', (client, id) => client.get(`/v1/records/${id}`)],
    ['GET gate-status', (client, id) => client.get(`/v1/records/${id}/gate-status`)],
    [
      'GET audit-export',
      (client, id) => client.get(`/v1/records/${id}/audit-export?evidence=true`),
    ],
    [
      'GET completion',
      (client, id) => client.get(`/v1/records/${id}/completions/${record.completionId}`),
    ],
    [
      'POST completions',
      (client, id) => client.post(`/v1/records/${id}/completions`, { evidence: { score: 9 } }),
    ],
    [
      'POST completions with bad evidence',
      (client, id) => client.post(`/v1/records/${id}/completions`, { evidence: {} }),
    ],
    [
      'POST verdict',
      (client, id) =>
        client.post(`/v1/records/${id}/verdict`, {
          verdict: 'accept',
          completionId: record.completionId,
        }),
    ],
    ['POST accept', (client, id) => client.post(`/v1/records/${id}/accept`)],
    ['POST reject', (client, id) => client.post(`/v1/records/${id}/reject`)],
    ['POST cancel', (client, id) => client.post(`/v1/records/${id}/cancel`)],
    [
      'POST cancel with a stale If-Match',
      (client, id) => client.post(`/v1/records/${id}/cancel`, undefined, { 'if-match': '"0"' }),
    ],
    ['POST revision', (client, id) => client.post(`/v1/records/${id}/revision`)],
    [
      'POST references',
      (client, id) =>
        client.post(`/v1/records/${id}/references`, { kind: 'ticket', uri: 'urn:example:1' }),
    ],
    [
      'POST transition',
      (client, id) => client.post(`/v1/records/${id}/transition`, { action: 'cancel' }),
    ],
    [
      'POST transition of no known action',
      (client, id) => client.post(`/v1/records/${id}/transition`, { action: 'nothing' }),
    ],
  ];

describe('a record that one may not read answers exactly as a missing one', () => {
  it.each(DOORS)('%s', async (_door, knock) => {
    for (const [who, client] of strangers) {
      const foreign = await knock(client, record.id);
      expect({ who, status: foreign.status }).toEqual({ who, status: 404 });
      expectIndistinguishable(foreign, await knock(client, NOBODY), [record.id, NOBODY]);
    }
    expect((await ok(api.world.principal.client.get(`/v1/records/${record.id}`)))['version']).toBe(
      2,
    );
  });

  it('also where it is proposed to others, or notarized', async () => {
    const proposal = await proposeJob(api.world);
    const note = await ok(
      api.world.principal.client.post('/v1/records', {
        type: 'note',
        criteria: {},
        performerAgentId: api.world.performer.id,
      }),
    );
    for (const { id } of [proposal, note])
      for (const [, client] of strangers)
        expectIndistinguishable(
          await client.get(`/v1/records/${id}`),
          await client.get(`/v1/records/${NOBODY}`),
          [String(id), NOBODY],
        );
  });

  it('and is in no listing, by no filter', async () => {
    for (const [, client] of strangers) {
      for (const query of [
        `q=${record.id}`,
        `rootRecordId=${record.id}`,
        `principalAgentId=${api.world.principal.id}`,
        `performerAgentId=${api.world.performer.id}`,
        'type=job',
      ])
        expect((await ok(client.get(`/v1/records?${query}`)))['total']).toBe(0);
    }
  });

  it('a replay does not tell either', async () => {
    const headers = { 'idempotency-key': 'probe' };
    await ok(
      api.world.principal.client.post(
        '/v1/records',
        { type: 'note', criteria: { private: true } },
        headers,
      ),
    );
    for (const [, client] of strangers) {
      const answer = await client.post(
        '/v1/records',
        { type: 'note', criteria: { private: true }, principalAgentId: api.world.principal.id },
        headers,
      );
      expect(answer.headers.get('idempotency-replayed')).toBeNull();
      expect(answer.status).not.toBe(201);
    }
  });
});

describe('who reads', () => {
  it('both parties, the admins of both orgs, and the platform', async () => {
    const { id } = await ok(
      api.world.principal.client.post('/v1/records', {
        type: 'job',
        criteria: GOAL,
        performerAgentId: globex.performer.id,
      }),
    );
    for (const client of [
      api.world.principal.client,
      api.world.admin,
      globex.performer.client,
      globex.admin,
      api.world.platform,
    ])
      expect((await client.get(`/v1/records/${id}`)).status).toBe(200);
    for (const client of [api.world.performer.client, globex.principal.client])
      expect((await client.get(`/v1/records/${id}`)).status).toBe(404);
  });

  it('an admin acts for the side of its org alone', async () => {
    const { id } = await ok(
      api.world.principal.client.post('/v1/records', {
        type: 'job',
        criteria: GOAL,
        performerAgentId: globex.performer.id,
      }),
    );
    expect((await api.world.admin.post(`/v1/records/${id}/accept`)).status).toBe(403);
    expect((await globex.admin.post(`/v1/records/${id}/accept`)).status).toBe(200);
    expect(
      (await api.world.admin.post(`/v1/records/${id}/completions`, { evidence: { score: 9 } }))
        .status,
    ).toBe(403);
    const { id: completionId } = await ok(
      globex.performer.client.post(`/v1/records/${id}/completions`, { evidence: { score: 9 } }),
    );
    expect(
      (await globex.admin.post(`/v1/records/${id}/verdict`, { verdict: 'accept', completionId }))
        .status,
    ).toBe(403);
    expect(
      (await api.world.admin.post(`/v1/records/${id}/verdict`, { verdict: 'accept', completionId }))
        .status,
    ).toBe(200);
  });

  it('an observer of the org reads, and does nothing', async () => {
    const { ownerId } = await ok(api.world.admin.get('/v1/auth/me'));
    const { client } = await mintKey(api.world.admin, ownerId as string, {
      role: 'admin',
      scopeProfile: 'admin-observer',
    });
    const { status, body } = await client.get(`/v1/records/${record.id}`);
    expect(status).toBe(200);
    expect(
      (body['nextActions'] as string[]).filter(
        (action) => !['view', 'export-audit'].includes(action),
      ),
    ).toEqual([]);
    for (const step of body['nextSteps'] as Body[]) expect(step['method']).toBe('GET');
    expect((await client.post(`/v1/records/${record.id}/cancel`)).status).toBe(403);
  });
});

describe('other rows of another org', () => {
  it('a key: PATCH answers as for a missing one', async () => {
    const { keyId } = await mintKey(globex.admin, globex.principal.id, {});
    for (const body of [{ isActive: false }, { isActive: true }])
      expectIndistinguishable(
        await api.world.admin.patch(`/v1/admin/api-keys/${keyId}`, body),
        await api.world.admin.patch(`/v1/admin/api-keys/${NOBODY}`, body),
        [keyId, NOBODY],
      );
  });

  it('a type: GET answers as for a missing one', async () => {
    await ok(globex.admin.post('/v1/schemas', { type: 'hidden-type', completionSchema: {} }));
    for (const client of [api.world.admin, api.world.principal.client])
      expectIndistinguishable(
        await client.get('/v1/schemas/hidden-type'),
        await client.get('/v1/schemas/missing-type'),
        ['hidden-type', 'missing-type'],
      );
  });

  it('an org: naming it answers as naming none', async () => {
    for (const path of [
      '/v1/admin/agents?orgId=',
      '/v1/admin/api-keys?orgId=',
      '/v1/schemas?orgId=',
      '/v1/schemas/job?orgId=',
    ])
      expectIndistinguishable(
        await api.world.admin.get(`${path}${globex.orgId}`),
        await api.world.admin.get(`${path}${NOBODY}`),
        [globex.orgId, NOBODY],
      );
    const create = (orgId: string) =>
      api.world.admin.post('/v1/schemas?orgId=' + orgId, { type: 'x', completionSchema: {} });
    expectIndistinguishable(await create(globex.orgId), await create(NOBODY), [
      globex.orgId,
      NOBODY,
    ]);
    const agent = (orgId: string) => api.world.admin.post('/v1/admin/agents', { name: 'x', orgId });
    expectIndistinguishable(await agent(globex.orgId), await agent(NOBODY), [globex.orgId, NOBODY]);
  });

  it('an owner: minting for it answers as minting for nobody', async () => {
    const mint = (ownerId: string) =>
      api.world.admin.post('/v1/admin/api-keys', { role: 'agent', ownerType: 'agent', ownerId });
    expectIndistinguishable(await mint(globex.principal.id), await mint(NOBODY), [
      globex.principal.id,
      NOBODY,
    ]);
  });

  it('a principal of another org answers an admin as one that does not exist', async () => {
    const create = (principalAgentId: string) =>
      api.world.admin.post('/v1/records', { type: 'job', criteria: GOAL, principalAgentId });
    expect((await create(globex.principal.id)).status).toBe((await create(NOBODY)).status);
  });
});
