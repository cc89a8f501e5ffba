import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem } from '../support/stories/problems.ts';
import { openChild, openTeam, registerTeams, type Party } from '../support/stories/tree.ts';
import {
  addAgent,
  AUTO_TYPE,
  deliver,
  entryTypes,
  GOAL,
  ok,
  openJob,
  sleep,
  type Body,
} from '../support/service/world.ts';

/** No worker runs, so nothing happens by itself: what binds is the time of the database alone. */
const api = useApi({ ROLE: 'api' });
const principal = () => api.world.principal.client;
const performer = () => api.world.performer.client;
let worker: Party;

beforeAll(async () => {
  worker = await addAgent(api.world.admin, api.world.orgId, 'worker');
  await registerTeams(api.world.admin);
});

/** Time for the steps that come before a deadline, on a machine that is busy. */
const TTL = { ttlSeconds: 3 };
const past = () => sleep(3_150);
const at = (id: unknown, path = ''): string => `/v1/records/${String(id)}${path}`;
const list = (query: string): Promise<Body> => ok(principal().get(`/v1/records?${query}`));
const statuses = (page: Body): unknown[] =>
  (page['data'] as Body[]).map(({ id, status }) => [id, status]);

describe.concurrent('a child whose deadline has passed', () => {
  it('counts as ended where its parent is delivered: its expiry is sealed first', async () => {
    const { id } = await openTeam(api.world, 'all-fulfilled', 'principal');
    const { id: child } = await openChild(api.world, id, worker, TTL);
    expectProblem(
      await performer().post(at(id, '/completions'), { evidence: { score: 9 } }),
      422,
      'UNPROCESSABLE_STATE',
      { reason: 'children_not_terminal' },
    );
    await past();
    const completion = await deliver(api.world, id);
    expect((completion['gate'] as Body)['state']).toBe('ADVISORY_FAILED');
    expect(await entryTypes(api.world.platform, child)).toEqual([
      'RECORD_CREATED',
      'RECORD_EXPIRED',
      'SIGNAL_EMITTED',
    ]);
    expect(await entryTypes(api.world.platform, id)).toEqual([
      'RECORD_CREATED',
      'CHILD_DELEGATED',
      'CASCADE_VERIFIED',
      'COMPLETION_SUBMITTED',
    ]);
  });

  it('counts as ended where its parent is cancelled, without cascade', async () => {
    const { id } = await openTeam(api.world, 'none');
    const { id: child } = await openChild(api.world, id, worker, TTL);
    expectProblem(await principal().post(at(id, '/cancel')), 422, 'UNPROCESSABLE_STATE', {
      reason: 'children_not_terminal',
    });
    await past();
    expect((await ok(principal().post(at(id, '/cancel'))))['status']).toBe('CANCELLED');
    expect((await ok(performer().get(at(child))))['status']).toBe('EXPIRED');
  });

  it('counts as ended where the cascade is verified, and in auto mode decides', async () => {
    const { id } = await openTeam(api.world, 'all-fulfilled', 'auto');
    await openChild(api.world, id, worker, TTL);
    await past();
    const verified = await ok(
      performer().post(at(id, '/transition'), { action: 'verify-cascade' }),
    );
    expect((verified['signedStatement'] as Body)['entryType']).toBe('CASCADE_VERIFIED');
    await deliver(api.world, id);
    expect((await ok(principal().get(at(id))))['status']).toBe('FAILED');
  });

  it('is not waited for by a parent that is read', async () => {
    const { id } = await openTeam(api.world, 'all-fulfilled');
    await openChild(api.world, id, worker, TTL);
    expect((await ok(performer().get(at(id))))['awaiting']).toBe('children');
    await past();
    expect(await ok(performer().get(at(id)))).toMatchObject({
      awaiting: 'performer',
      nextActions: expect.arrayContaining(['submit-completion']),
    });
  });

  it('has expired in the tree that is read', async () => {
    const { id } = await openTeam(api.world, 'all-fulfilled');
    const { id: child } = await openChild(api.world, id, worker, TTL);
    await past();
    const { nodes } = await ok(principal().get(at(id, '/chain')));
    expect((nodes as Body[]).map((node) => [node['id'], node['status'], node['position']])).toEqual(
      [
        [id, 'ACTIVE', 3],
        [child, 'EXPIRED', 3],
      ],
    );
  });
});

describe.concurrent('a filter by status judges a record whose deadline has passed', () => {
  it('as EXPIRED, before anything was written of it', async () => {
    const { id } = await openJob(api.world, { ...TTL, platformRef: 'first-expired' });
    const { id: later } = await openJob(api.world, { platformRef: 'first-expired' });
    expect((await list('platformRef=first-expired&status=EXPIRED'))['total']).toBe(0);
    await past();
    const expired = await list('platformRef=first-expired&status=EXPIRED');
    expect([statuses(expired), expired['total']]).toEqual([[[id, 'EXPIRED']], 1]);
    const active = await list('platformRef=first-expired&status=ACTIVE');
    expect([statuses(active), active['total']]).toEqual([[[later, 'ACTIVE']], 1]);
  });

  it('as no longer open, where that is asked first', async () => {
    const { id } = await openJob(api.world, { ...TTL, platformRef: 'first-active' });
    await past();
    const active = await list('platformRef=first-active&status=ACTIVE');
    expect([statuses(active), active['total']]).toEqual([[], 0]);
    expect(statuses(await list('platformRef=first-active&status=EXPIRED'))).toEqual([
      [id, 'EXPIRED'],
    ]);
  });

  it('in every listing by which a party finds it', async () => {
    const { id } = await openJob(api.world, { ...TTL, platform: 'everywhere' });
    await past();
    for (const client of [principal(), performer(), api.world.admin, api.world.platform])
      expect(
        statuses(await ok(client.get('/v1/records?status=EXPIRED&platform=everywhere'))),
      ).toEqual([[id, 'EXPIRED']]);
  });
});

describe.concurrent('a filter by what a dispute decides', () => {
  it('finds the outcome that the gates gave at the end of the evidence window', async () => {
    await ok(
      api.world.admin.post('/v1/schemas', {
        ...AUTO_TYPE,
        type: 'judged-again',
        evidenceWindowSeconds: 3,
        gates: [{ id: 'calm', description: 'Nobody objects', expression: 'dispute == null' }],
      }),
    );
    const { id } = await openJob(api.world, { type: 'judged-again', criteria: GOAL });
    await deliver(api.world, id);
    const { id: disputeId } = await ok(principal().post(at(id, '/dispute')));
    await past();
    expect(statuses(await list('type=judged-again&status=FAILED'))).toEqual([[id, 'FAILED']]);
    expect(statuses(await list('type=judged-again&status=FULFILLED'))).toEqual([]);
    const ended = await ok(principal().get('/v1/disputes?status=ended'));
    expect((ended['data'] as Body[]).map((row) => row['id'])).toEqual([disputeId]);
  });

  it('finds the tier that a dispute has reached', async () => {
    await ok(
      api.world.admin.post('/v1/schemas', {
        ...AUTO_TYPE,
        type: 'goes-up',
        gateMode: 'principal',
        evidenceWindowSeconds: 3,
      }),
    );
    const { id } = await openJob(api.world, { type: 'goes-up', criteria: GOAL });
    const { id: completionId } = await deliver(api.world, id);
    await ok(principal().post(at(id, '/verdict'), { verdict: 'accept', completionId }));
    const { id: disputeId } = await ok(principal().post(at(id, '/dispute')));
    await past();
    const raised = await ok(principal().get('/v1/disputes?phase=TIER_2_REVIEW'));
    expect((raised['data'] as Body[]).map((row) => row['id'])).toEqual([disputeId]);
  });
});
