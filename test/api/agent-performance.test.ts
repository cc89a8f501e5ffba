import { DatabaseSync } from '@photostructure/sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { TOKENS } from '../../config/tokens.ts';
import { wilsonLowerBound } from '../../domain/reputation/wilson.ts';
import { useApi } from '../support/service/api.ts';
import {
  expectIndistinguishable,
  expectProblem,
  NOBODY,
  TIMESTAMP,
} from '../support/stories/problems.ts';
import {
  addAgent,
  createWorld,
  deliver,
  GOAL,
  sleep,
  mintKey,
  ok,
  openDecided,
  openDelivered,
  openJob,
  proposeJob,
  type Body,
  type Client,
  type World,
} from '../support/service/world.ts';
import { dataIn } from '../support/databases/stored-values.ts';

const api = useApi();
let globex: World;
let performer: string;
/** Records of the performer, by what became of them. */
const made: { [outcome: string]: string } = {};

const openAuto = async (score: number): Promise<string> => {
  const { id } = await openJob(api.world, { type: 'auto-job' });
  await deliver(api.world, id, { score });
  return String(id);
};

beforeAll(async () => {
  const { world } = api;
  performer = world.performer.id;
  globex = await createWorld(world.url, String(world.platform.key), 'Globex');
  made['accepted'] = (await openDecided(world, 'accept')).id;
  made['rejected'] = (await openDecided(world, 'reject')).id;
  const overridden = await openDecided(world, 'reject');
  await ok(
    world.principal.client.post(`/v1/records/${overridden.id}/verdict`, {
      verdict: 'accept',
      completionId: overridden.completionId,
    }),
  );
  made['overridden'] = overridden.id;
  made['auto accepted'] = await openAuto(9);
  made['auto rejected'] = await openAuto(1);
  made['cancelled'] = String((await openJob(world))['id']);
  await ok(world.principal.client.post(`/v1/records/${made['cancelled']}/cancel`));
  const revised = await openDelivered(world);
  await ok(world.principal.client.post(`/v1/records/${revised.id}/revision`, {}));
  await deliver(world, revised.id);
  made['pending'] = revised.id;
  // None of these is work for another: it performs for itself, proposes, or only lends its name.
  await ok(
    world.performer.client.post('/v1/records', { type: 'job', criteria: GOAL, autoActivate: true }),
  );
  await proposeJob(world);
  await ok(
    world.principal.client.post('/v1/records', {
      type: 'note',
      criteria: {},
      performerAgentId: performer,
    }),
  );
});

describe('GET /v1/agents/{agentId}/reputation', () => {
  const path = (id = performer): string => `/v1/agents/${id}/reputation`;

  it('200: counts what stands of the work for others, gate outcomes of auto mode among the verdicts', async () => {
    const body = await ok(api.world.principal.client.get(path()));
    expect(body).toEqual({
      agentId: performer,
      score: wilsonLowerBound(3, 5),
      sampleSize: 5,
      records: 7,
      completions: 7,
      accepted: 3,
      rejected: 2,
      overturned: 0,
      expired: 0,
      acceptanceRate: 0.6,
      medianCompletionMs: expect.any(Number),
      byType: [expect.anything(), expect.anything()],
      since: expect.stringMatching(TIMESTAMP),
    });
    expect(body['byType']).toMatchObject([
      {
        type: 'auto-job',
        records: 2,
        completions: 2,
        sampleSize: 2,
        accepted: 1,
        rejected: 1,
        acceptanceRate: 0.5,
        score: wilsonLowerBound(1, 2),
      },
      { type: 'job', records: 5, completions: 5, sampleSize: 3, accepted: 2, rejected: 1 },
    ]);
    expect(body['since']).toBe(
      (await ok(api.world.admin.get(`/v1/records/${made['accepted']}`)))['createdAt'],
    );
  });

  it('200: an agent without verdicts has no score and no rate', async () => {
    expect(await ok(api.world.admin.get(path(api.world.principal.id)))).toEqual({
      agentId: api.world.principal.id,
      score: null,
      sampleSize: 0,
      records: 0,
      completions: 0,
      accepted: 0,
      rejected: 0,
      overturned: 0,
      expired: 0,
      acceptanceRate: null,
      medianCompletionMs: null,
      byType: [],
      since: null,
    });
  });

  it('200: is there for the agent itself, the admins of its org and the platform', async () => {
    const whole = await ok(api.world.performer.client.get(path()));
    expect(whole['sampleSize']).toBe(5);
    for (const client of [api.world.admin, api.world.platform])
      expect(await ok(client.get(path()))).toEqual(whole);
  });

  describe('to others', () => {
    let worker: string;
    const openFor = async (client: Client): Promise<unknown> =>
      (
        await ok(
          client.post('/v1/records', { type: 'job', criteria: GOAL, performerAgentId: worker }),
        )
      )['id'];
    const accept = async (client: Client, id: unknown): Promise<unknown> =>
      ok(client.post(`/v1/records/${String(id)}/transition`, { action: 'accept' }));
    let workerClient: Client;
    beforeAll(async () => {
      const { world } = api;
      const added = await addAgent(world.admin, world.orgId, 'worker');
      [worker, workerClient] = [added.id, added.client];
      await accept(workerClient, await openFor(world.principal.client));
    });

    it('200: of its org, the totals, and by type what they are party to', async () => {
      const { world } = api;
      const other = await addAgent(world.admin, world.orgId, 'colleague');
      const whole = await ok(workerClient.get(path(worker)));
      expect(whole).toMatchObject({ records: 1, byType: [{ type: 'job' }] });
      expect(await ok(other.client.get(path(worker)))).toEqual({ ...whole, byType: [] });
      await accept(workerClient, await openFor(other.client));
      expect(await ok(other.client.get(path(worker)))).toMatchObject({
        records: 2,
        byType: [{ type: 'job', records: 1 }],
      });
    });

    it('200: of another org, their own dealings with it, and no name, count or time of others', async () => {
      const outsiders = [globex.principal.client, globex.admin];
      for (const client of outsiders)
        expect(await ok(client.get(path(worker)))).toMatchObject({
          score: null,
          records: 0,
          completions: 0,
          medianCompletionMs: null,
          byType: [],
          since: null,
        });
      await accept(workerClient, await openFor(globex.principal.client));
      for (const client of outsiders)
        expect(await ok(client.get(path(worker)))).toMatchObject({
          records: 1,
          byType: [{ type: 'job', records: 1 }],
        });
    });
  });

  it('is told of at once after a verdict, and a deadline that passed counts without any job', async () => {
    const { world } = api;
    const agent = await addAgent(world.admin, world.orgId, 'quick');
    const open = (extra: Body = {}): Promise<Body> =>
      ok(
        world.principal.client.post('/v1/records', {
          type: 'job',
          criteria: GOAL,
          performerAgentId: agent.id,
          autoActivate: true,
          ...extra,
        }),
      );
    const { id } = await open();
    const completion = await ok(
      agent.client.post(`/v1/records/${String(id)}/completions`, { evidence: { score: 9 } }),
    );
    expect((await ok(world.admin.get(path(agent.id))))['sampleSize']).toBe(0);
    await ok(
      world.principal.client.post(`/v1/records/${String(id)}/verdict`, {
        verdict: 'accept',
        completionId: completion['id'],
      }),
    );
    expect(await ok(world.admin.get(path(agent.id)))).toMatchObject({
      sampleSize: 1,
      accepted: 1,
      expired: 0,
    });
    await open({ ttlSeconds: 1 });
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await ok(world.admin.get(path(agent.id)))).toMatchObject({
      records: 2,
      sampleSize: 1,
      expired: 1,
    });
    expect((await ok(world.admin.get(`/v1/agents/${agent.id}/history`)))['data'][0]).toMatchObject({
      status: 'EXPIRED',
      outcome: 'expired',
      decidedAt: null,
    });
  });

  it('404: nobody; 400: no UUID; 403: no reputation:read', async () => {
    expectProblem(await api.world.admin.get(path(NOBODY)), 404, 'NOT_FOUND');
    expectProblem(await api.world.admin.get('/v1/agents/me/reputation'), 400, 'VALIDATION_ERROR');
    const { client } = await mintKey(api.world.admin, performer, { scopes: ['agents:read'] });
    expectProblem(await client.get(path()), 403, 'INSUFFICIENT_SCOPE', {
      missingScopes: ['reputation:read'],
    });
  });
});

describe('the summary in GET /v1/agents/{agentId}', () => {
  it('is the head of the reputation', async () => {
    const { score, sampleSize, acceptanceRate } = await ok(
      api.world.admin.get(`/v1/agents/${performer}/reputation`),
    );
    for (const client of [api.world.admin, api.world.platform, api.world.performer.client])
      expect((await ok(client.get(`/v1/agents/${performer}`)))['reputation']).toEqual({
        score,
        sampleSize,
        acceptanceRate,
      });
  });

  it('is left out without reputation:read, and for another org', async () => {
    const { client } = await mintKey(api.world.admin, performer, { scopes: ['agents:read'] });
    for (const reader of [client, globex.admin])
      expect(await ok(reader.get(`/v1/agents/${performer}`))).not.toHaveProperty('reputation');
  });
});

describe('GET /v1/agents/{agentId}/history', () => {
  const path = (query = '', id = performer): string => `/v1/agents/${id}/history${query}`;
  const list = async (client: Client, query = ''): Promise<Body[]> =>
    (await ok(client.get(path(query))))['data'] as Body[];

  it('200: the records that became ACTIVE, newest first, with what became of each', async () => {
    const rows = await list(api.world.performer.client);
    expect(rows).toHaveLength(8);
    expect(rows.map(({ createdAt }) => createdAt)).toEqual(
      rows
        .map(({ createdAt }) => createdAt as string)
        .sort()
        .reverse(),
    );
    const of = (name: string): Body => rows.find(({ recordId }) => recordId === made[name]) as Body;
    const accepted = await ok(api.world.admin.get(`/v1/records/${made['accepted']}`));
    const completion = await ok(
      api.world.admin.get(
        `/v1/records/${made['accepted']}/completions/${String(accepted['latestCompletionId'])}`,
      ),
    );
    expect(of('accepted')).toEqual({
      recordId: accepted['id'],
      type: 'job',
      status: 'FULFILLED',
      outcome: 'accepted',
      completionId: completion['id'],
      evidenceHash: completion['evidenceHash'],
      createdAt: accepted['createdAt'],
      activatedAt: accepted['activatedAt'],
      submittedAt: completion['submittedAt'],
      decidedAt: completion['verdict'].renderedAt,
      completionMs:
        Date.parse(completion['submittedAt'] as string) -
        Date.parse(accepted['activatedAt'] as string),
    });
    expect(of('rejected')).toMatchObject({
      status: 'FAILED',
      outcome: 'rejected',
      decidedAt: expect.stringMatching(TIMESTAMP),
    });
    expect(of('overridden')).toMatchObject({ status: 'REMEDIATED', outcome: 'accepted' });
    expect(of('auto accepted')).toMatchObject({ type: 'auto-job', outcome: 'accepted' });
    expect(of('auto rejected')).toMatchObject({
      outcome: 'rejected',
      decidedAt: expect.stringMatching(TIMESTAMP),
    });
    expect(of('cancelled')).toMatchObject({
      status: 'CANCELLED',
      outcome: 'cancelled',
      completionId: null,
      evidenceHash: null,
      submittedAt: null,
      decidedAt: null,
      completionMs: null,
    });
    expect(of('pending')).toMatchObject({
      status: 'ACTIVE',
      outcome: 'pending',
      decidedAt: null,
      completionId: expect.any(String),
    });
  });

  it('200: filters by type, outcome and creation', async () => {
    const { client } = api.world.performer;
    expect((await list(client, '?type=auto-job')).map(({ recordId }) => recordId).sort()).toEqual(
      [made['auto accepted'], made['auto rejected']].sort(),
    );
    expect(
      (await list(client, '?outcome=rejected')).map(({ recordId }) => recordId).sort(),
    ).toEqual([made['rejected'], made['auto rejected']].sort());
    expect(await list(client, '?outcome=overturned')).toEqual([]);
    const { createdAt } = await ok(client.get(`/v1/records/${made['rejected']}`));
    const from = encodeURIComponent(String(createdAt));
    expect((await list(client, `?to=${from}`)).map(({ recordId }) => recordId)).toEqual([
      made['accepted'],
    ]);
    expect(await list(client, `?from=${from}`)).toHaveLength(7);
  });

  it('200: page by page, each record once; a cursor is good for this agent, these filters and this caller alone', async () => {
    const { admin, principal } = api.world;
    const seen: unknown[] = [];
    let page = await ok(admin.get(path('?limit=3')));
    const first = String(page['nextCursor']);
    for (;;) {
      expect(page['total']).toBe(8);
      seen.push(...(page['data'] as Body[]).map(({ recordId }) => recordId));
      if (!page['hasMore']) break;
      page = await ok(admin.get(path(`?limit=3&cursor=${String(page['nextCursor'])}`)));
    }
    expect(new Set(seen).size).toBe(8);
    expect(seen).toEqual((await list(admin)).map(({ recordId }) => recordId));
    for (const answer of [
      admin.get(path(`?limit=3&cursor=${first}`, principal.id)),
      admin.get(path(`?outcome=pending&cursor=${first}`)),
      principal.client.get(path(`?cursor=${first}`)),
    ]) {
      expectProblem(await answer, 400, 'VALIDATION_ERROR', {
        errors: [{ path: '/cursor', keyword: 'cursor', message: expect.any(String) }],
      });
    }
  });

  it('200: others see the records to which they are the other party, and no more', async () => {
    expect(await list(api.world.principal.client)).toHaveLength(7);
    expect(await list(api.world.platform)).toHaveLength(8);
    expect(await list(globex.principal.client)).toEqual([]);
    expect(await list(globex.admin)).toEqual([]);
    const { id } = await ok(
      globex.principal.client.post('/v1/records', {
        type: 'job',
        criteria: GOAL,
        performerAgentId: performer,
      }),
    );
    await ok(api.world.performer.client.post(`/v1/records/${String(id)}/accept`));
    for (const client of [globex.principal.client, globex.admin])
      expect((await list(client)).map(({ recordId }) => recordId)).toEqual([id]);
    expect(await list(globex.performer.client)).toEqual([]);
    await ok(globex.principal.client.post(`/v1/records/${String(id)}/cancel`));
  });

  it('200: a record that was edited and whose time is out is shown as it stands, and the rest of the page with it', async () => {
    const { world } = api;
    const agent = await addAgent(world.admin, world.orgId, 'edited');
    const open = async (): Promise<string> => {
      const { id } = await ok(
        world.principal.client.post('/v1/records', {
          type: 'job',
          criteria: GOAL,
          performerAgentId: agent.id,
          autoActivate: true,
          ttlSeconds: 1,
        }),
      );
      return String(id);
    };
    const [edited, genuine] = [await open(), await open()];
    const database = new DatabaseSync(
      api.service.container.get(TOKENS.settings).DATABASE_URL.replace('sqlite://', ''),
      { timeout: 5_000 },
    );
    try {
      database
        .prepare(`UPDATE records SET criteria = '{"goal":"another"}' WHERE id = ?`)
        .run(Buffer.from(edited.replaceAll('-', ''), 'hex'));
      await sleep(1_150);
      const { data } = await ok(world.admin.get(`/v1/agents/${agent.id}/history`));
      expect((data as Body[]).map((row) => [row['recordId'], row['status']])).toEqual([
        [genuine, 'EXPIRED'],
        [edited, 'ACTIVE'],
      ]);
    } finally {
      database.close();
    }
  });

  it('404: nobody; 400: filters of another form; 403: no agents:read', async () => {
    expectProblem(await api.world.admin.get(path('', NOBODY)), 404, 'NOT_FOUND');
    expectProblem(await api.world.admin.get(path('?outcome=won')), 400, 'VALIDATION_ERROR', {
      allowedValues: ['pending', 'accepted', 'rejected', 'overturned', 'expired', 'cancelled'],
    });
    for (const query of ['?from=yesterday', '?type=No%20Type', '?limit=0', '?sort=createdAt'])
      expectProblem(await api.world.admin.get(path(query)), 400, 'VALIDATION_ERROR');
    const { client } = await mintKey(api.world.admin, performer, { scopes: ['records:read'] });
    expectProblem(await client.get(path()), 403, 'INSUFFICIENT_SCOPE', {
      missingScopes: ['agents:read'],
    });
  });
});

describe('GET /v1/agents/{agentId}/drift', () => {
  const path = (query = '', id = performer): string => `/v1/agents/${id}/drift${query}`;
  const DAY = 86_400_000;

  it('200: an agent reads its own: overall and by type, over 7 days unless it asks otherwise', async () => {
    const body = await ok(api.world.performer.client.get(path()));
    const { window, overall, byType } = body;
    expect(Object.keys(body).sort()).toEqual(['agentId', 'byType', 'overall', 'window']);
    expect(body['agentId']).toBe(performer);
    expect(window.days).toBe(7);
    expect(Date.parse(window.currentTo) - Date.parse(window.currentFrom)).toBe(7 * DAY);
    expect(Date.parse(window.baselineTo) - Date.parse(window.baselineFrom)).toBe(7 * DAY);
    expect(window.baselineTo).toBe(window.currentFrom);
    expect(overall.current).toEqual({
      from: window.currentFrom,
      to: window.currentTo,
      records: 9,
      completions: 7,
      verdicts: 5,
      accepted: 3,
      rejected: 2,
      overturned: 0,
      acceptanceRate: 0.6,
      medianCompletionMs: expect.any(Number),
    });
    expect(overall.baseline).toEqual({
      from: window.baselineFrom,
      to: window.baselineTo,
      records: 0,
      completions: 0,
      verdicts: 0,
      accepted: 0,
      rejected: 0,
      overturned: 0,
      acceptanceRate: null,
      medianCompletionMs: null,
    });
    expect(overall.change).toEqual({
      records: 9,
      completions: 7,
      verdicts: 5,
      accepted: 3,
      rejected: 2,
      overturned: 0,
      acceptanceRate: null,
      medianCompletionMs: null,
    });
    expect(byType.map(({ type }: Body) => type)).toEqual(['auto-job', 'job']);
    expect(byType[0]).toMatchObject({
      current: { records: 2, completions: 2, verdicts: 2, accepted: 1, rejected: 1 },
      baseline: { records: 0 },
      change: { records: 2 },
    });
  });

  it('200: type narrows byType and leaves overall', async () => {
    const { overall, byType } = await ok(api.world.admin.get(path('?type=job&window=365')));
    expect(byType.map(({ type }: Body) => type)).toEqual(['job']);
    expect(overall.current).toMatchObject({ records: 9, verdicts: 5 });
    expect((await ok(api.world.admin.get(path('?type=unknown'))))['byType']).toEqual([]);
  });

  it('200: an admin of the org with drift:read, and the platform', async () => {
    for (const client of [api.world.admin, api.world.platform])
      expect((await ok(client.get(path())))['overall'].current.verdicts).toBe(5);
  });

  it("403: an agent on another agent's names the role, whether that agent exists or not", async () => {
    for (const id of [performer, globex.performer.id, NOBODY]) {
      const { detail } = expectProblem(
        await api.world.principal.client.get(path('', id)),
        403,
        'FORBIDDEN',
        { allowedActors: ['admin', 'platform'] },
      );
      expect(detail).toContain('admin');
    }
  });

  it('403: an admin key without drift:read; 404: an admin on another org, as on nobody; 400: windows out of bounds', async () => {
    const { ownerId } = await ok(api.world.admin.get('/v1/auth/me'));
    const { client } = await mintKey(api.world.admin, String(ownerId), {
      role: 'admin',
      scopes: ['agents:read'],
    });
    expectProblem(await client.get(path()), 403, 'INSUFFICIENT_SCOPE', {
      missingScopes: ['drift:read'],
    });
    expectIndistinguishable(
      await globex.admin.get(path()),
      await globex.admin.get(path('', NOBODY)),
      [performer, NOBODY],
    );
    expectProblem(await globex.admin.get(path()), 404, 'NOT_FOUND');
    for (const query of ['?window=0', '?window=366', '?window=7d', '?window=1.5', '?window='])
      expectProblem(await api.world.admin.get(path(query)), 400, 'VALIDATION_ERROR');
  });
});

describe('GET /v1/agents/drift', () => {
  it('200: every active agent of the org, by agentId, with the same blocks', async () => {
    const { data, window, total, hasMore, nextCursor } = await ok(
      api.world.admin.get('/v1/agents/drift'),
    );
    const agents = (await ok(api.world.admin.get('/v1/admin/agents')))['data'] as Body[];
    expect((data as Body[]).map(({ agentId }) => agentId)).toEqual(
      agents.map(({ id }) => id as string).sort(),
    );
    expect({ total, hasMore, nextCursor, days: window.days }).toEqual({
      total: agents.length,
      hasMore: false,
      nextCursor: null,
      days: 7,
    });
    const row = (data as Body[]).find(({ agentId }) => agentId === performer) as Body;
    expect(Object.keys(row).sort()).toEqual([
      'agentId',
      'baseline',
      'change',
      'current',
      'displayName',
    ]);
    expect(row).toMatchObject({
      displayName: 'performer',
      current: { records: expect.any(Number), verdicts: 5, accepted: 3, rejected: 2 },
      change: { verdicts: 5, acceptanceRate: null },
    });
  });

  it('200: every page is about the window of the first one; another window with its cursor is 400', async () => {
    const { admin } = api.world;
    const first = await ok(admin.get('/v1/agents/drift?limit=2'));
    const cursor = String(first['nextCursor']);
    const second = await ok(admin.get(`/v1/agents/drift?limit=2&window=7&cursor=${cursor}`));
    expect(second['window']).toEqual(first['window']);
    const ids = [...(first['data'] as Body[]), ...(second['data'] as Body[])].map(
      ({ agentId }) => agentId as string,
    );
    expect(ids).toEqual([...new Set(ids)].sort());
    expectProblem(
      await admin.get(`/v1/agents/drift?limit=2&window=8&cursor=${cursor}`),
      400,
      'VALIDATION_ERROR',
      { errors: [{ path: '/cursor', keyword: 'cursor', message: expect.any(String) }] },
    );
    expectProblem(
      await globex.admin.get(`/v1/agents/drift?limit=2&cursor=${cursor}`),
      400,
      'VALIDATION_ERROR',
    );
  });

  it('403: agents lack drift:read; platform keys are ORG_REQUIRED, with or without an orgId', async () => {
    expectProblem(
      await api.world.performer.client.get('/v1/agents/drift'),
      403,
      'INSUFFICIENT_SCOPE',
      { missingScopes: ['drift:read'] },
    );
    expectProblem(await api.world.platform.get('/v1/agents/drift'), 403, 'ORG_REQUIRED');
    expectProblem(
      await api.world.platform.get(`/v1/agents/drift?orgId=${api.world.orgId}`),
      400,
      'VALIDATION_ERROR',
    );
  });

  it('400: windows out of bounds', async () => {
    for (const query of ['window=0', 'window=366', 'limit=201', 'cursor=x'])
      expectProblem(
        await api.world.admin.get(`/v1/agents/drift?${query}`),
        400,
        'VALIDATION_ERROR',
      );
  });
});

describe('PUT /v1/agents/{agentId}/capabilities', () => {
  const put = (client: Client, id: string, body: unknown) =>
    client.call('PUT', `/v1/agents/${id}/capabilities`, body);
  /** What the platform chain and the outbox say of it. */
  const told = (agentId: string): { entries: number; events: Body[] } => {
    const database = new DatabaseSync(
      api.service.container.get(TOKENS.settings).DATABASE_URL.replace('sqlite://', ''),
      { readOnly: true, timeout: 5_000 },
    );
    try {
      const events = database
        .prepare(
          "SELECT data FROM outbox WHERE type = 'agent.capabilities_changed' AND agent_id = ? ORDER BY created_at, id",
        )
        .all(Buffer.from(agentId.replaceAll('-', ''), 'hex'));
      const [count] = database
        .prepare(
          "SELECT COUNT(*) AS n FROM chain_entries WHERE entry_type = 'AGENT_CAPABILITIES_CHANGED' AND chain_key = '00000000-0000-0000-0000-000000000000'",
        )
        .all() as [Body];
      return {
        entries: Number(count['n']),
        events: events.map((row) => dataIn(row as Body)),
      };
    } finally {
      database.close();
    }
  };

  it('200: the agent itself and its admin replace the whole list; work of other types is refused from then on', async () => {
    const { world } = api;
    const agent = await addAgent(world.admin, world.orgId, 'specialist');
    const { client } = await mintKey(world.admin, agent.id, {
      scopes: ['agents:write', 'reputation:read'],
    });
    expect(await ok(put(client, agent.id, { types: ['job', 'note', 'job'] }))).toMatchObject({
      id: agent.id,
      orgId: world.orgId,
      capabilities: ['job', 'note'],
      nextSteps: [{ action: 'view', method: 'GET', href: `/v1/agents/${agent.id}` }],
    });
    expect((await ok(world.admin.get(`/v1/agents/${agent.id}`)))['capabilities']).toEqual([
      'job',
      'note',
    ]);
    await ok(put(world.admin, agent.id, { types: ['never-registered'] }));
    expect((await ok(globex.admin.get(`/v1/agents/${agent.id}`)))['capabilities']).toEqual([
      'never-registered',
    ]);
    await ok(put(world.admin, agent.id, { types: ['note'] }));
    expectProblem(
      await world.principal.client.post('/v1/records', {
        type: 'job',
        criteria: GOAL,
        performerAgentId: agent.id,
      }),
      422,
      'VALIDATION_ERROR',
      { allowedValues: ['note'] },
    );
    await ok(put(world.platform, agent.id, { types: [] }));
    await ok(
      world.principal.client.post('/v1/records', {
        type: 'job',
        criteria: GOAL,
        performerAgentId: agent.id,
      }),
    );
  });

  it('seals an entry of the platform chain for each change and tells it, and neither where nothing changes', async () => {
    const { world } = api;
    const { id } = await addAgent(world.admin, world.orgId, 'learner');
    const before = told(id);
    for (const types of [['job'], ['job'], ['job', 'note']])
      await ok(put(world.admin, id, { types }));
    const { entries, events } = told(id);
    expect(entries - before.entries).toBe(2);
    expect(events).toMatchObject([
      { agentId: id, capabilities: ['job'], previousCapabilities: [], actor: { kind: 'admin' } },
      {
        agentId: id,
        capabilities: ['job', 'note'],
        previousCapabilities: ['job'],
        actor: { kind: 'admin' },
      },
    ]);
  });

  it('403: another agent of the org, naming the role, and a key without agents:write; 404: another org, as nobody', async () => {
    const { world } = api;
    const { client } = await mintKey(world.admin, performer, { scopes: ['agents:write'] });
    expect(
      expectProblem(await put(client, world.principal.id, { types: [] }), 403, 'FORBIDDEN', {
        allowedActors: ['admin', 'platform'],
      })['detail'],
    ).toContain('admin');
    expectProblem(
      await put(world.performer.client, performer, { types: [] }),
      403,
      'INSUFFICIENT_SCOPE',
      { missingScopes: ['agents:write'] },
    );
    for (const stranger of [
      globex.admin,
      (await mintKey(globex.admin, globex.principal.id, { scopes: ['agents:write'] })).client,
    ]) {
      expectIndistinguishable(
        await put(stranger, performer, { types: [] }),
        await put(stranger, NOBODY, { types: [] }),
        [performer, NOBODY],
      );
    }
    expectProblem(await put(globex.admin, performer, { types: [] }), 404, 'NOT_FOUND');
  });

  it('400: no list, names of another form, unknown members, too many', async () => {
    const { admin } = api.world;
    for (const body of [
      {},
      { types: 'job' },
      { types: ['No Type'] },
      { types: [''] },
      { types: [1] },
      { types: [], more: 1 },
      { types: Array.from({ length: 1001 }, (_, i) => `t${i}`) },
      [],
    ]) {
      expectProblem(await put(admin, performer, body), 400, 'VALIDATION_ERROR');
    }
    expectProblem(await put(admin, performer, { type: ['job'] }), 400, 'VALIDATION_ERROR', {
      requiredFields: ['types'],
      examplePayload: { types: ['report.weekly'] },
    });
  });
});
