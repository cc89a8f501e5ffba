import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem, NOBODY } from '../support/stories/problems.ts';
import {
  addAgent,
  chainOf,
  deliver,
  draftJob,
  entryTypes,
  mintKey,
  ok,
  openDecided,
  openDelivered,
  openJob,
  proposeJob,
  type Body,
  type Client,
} from '../support/service/world.ts';

const api = useApi();
const principal = () => api.world.principal.client;
const performer = () => api.world.performer.client;

/** The same use case by both doors. */
const DOORS = [
  [
    '/transition',
    (client: Client, id: unknown, action: string, body: Body = {}) =>
      client.post(`/v1/records/${String(id)}/transition`, { action, ...body }),
  ],
  [
    'its path',
    (client: Client, id: unknown, action: string, body?: Body) =>
      client.post(`/v1/records/${String(id)}/${action}`, body),
  ],
] as const;
const byTransition = DOORS[0][1];

describe.each(DOORS)('by %s', (door, act) => {
  it('accept: 200 ACTIVE, entry PROPOSAL_ACCEPTED', async () => {
    const { id, criteriaHash } = await proposeJob(api.world);
    const { status, body } = await act(performer(), id, 'accept');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'ACTIVE',
      awaiting: 'performer',
      signedStatement: { entryType: 'PROPOSAL_ACCEPTED', position: 2 },
    });
    expect(body['activatedAt']).toEqual(expect.any(String));
    expect(body['nextSteps'][0].action).toBe('submit-completion');
    expect((await chainOf(principal(), id)).at(-1)!['statement'].predicate).toMatchObject({
      criteriaHash,
      actor: { kind: 'agent', agentId: api.world.performer.id },
    });
  });

  it('accept with the criteriaHash on the table: 200; with another: 422, and nothing happens', async () => {
    const { id, criteriaHash } = await proposeJob(api.world);
    expect((await act(performer(), id, 'accept', { criteriaHash: 'f'.repeat(64) })).status).toBe(
      422,
    );
    expect((await ok(principal().get(`/v1/records/${id}`)))['status']).toBe('PROPOSED');
    expect((await act(performer(), id, 'accept', { criteriaHash })).status).toBe(200);
  });

  it('a proposal of the performer is accepted by the principal', async () => {
    const { id } = await ok(
      performer().post('/v1/records', {
        type: 'job',
        criteria: { goal: 'g' },
        principalAgentId: api.world.principal.id,
        performerAgentId: api.world.performer.id,
      }),
    );
    expectProblem(await act(performer(), id, 'accept'), 403, 'FORBIDDEN');
    expect((await act(principal(), id, 'accept')).status).toBe(200);
  });

  it('reject: 200 REJECTED, entry PROPOSAL_REJECTED with the reason, terminal', async () => {
    const { id } = await proposeJob(api.world);
    const { status, body } = await act(performer(), id, 'reject', { reason: 'No capacity.' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'REJECTED',
      awaiting: null,
      validTransitions: [],
      signedStatement: { entryType: 'PROPOSAL_REJECTED' },
    });
    expect((await chainOf(principal(), id)).at(-1)!['statement'].predicate).toMatchObject({
      reason: 'No capacity.',
    });
  });

  it.each<[string, () => Promise<Body>, () => Client]>([
    ['a draft by the principal', () => draftJob(api.world), principal],
    ['a proposal by the side not awaited', () => proposeJob(api.world), principal],
    ['a running record by the principal', () => openJob(api.world), principal],
    ['a running record by the performer', () => openJob(api.world), performer],
    ['a delivered record by the principal', () => openDelivered(api.world), principal],
    [
      'a record in revision by the performer',
      async () => {
        const { id } = await openDelivered(api.world);
        return ok(principal().post(`/v1/records/${id}/revision`));
      },
      performer,
    ],
    ['a running record by the admin', () => openJob(api.world), () => api.world.admin],
  ])('cancel: 200 CANCELLED of %s', async (_case, open, client) => {
    const { id } = await open();
    const { status, body } = await act(client(), id, 'cancel', { reason: 'No longer needed.' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'CANCELLED',
      awaiting: null,
      validTransitions: [],
      signedStatement: { entryType: 'RECORD_CANCELLED' },
    });
  });

  it.each<[string, () => Promise<Body>]>([
    ['a proposal by the side awaited', () => proposeJob(api.world)],
    ['a delivered record by the performer', () => openDelivered(api.world)],
  ])('cancel: 403 with allowedActors of %s', async (_case, open) => {
    const { id } = await open();
    expect(
      expectProblem(await act(performer(), id, 'cancel'), 403, 'FORBIDDEN')['allowedActors'],
    ).toEqual(expect.arrayContaining([expect.any(String)]));
  });

  it('accept, reject: 403 with allowedActors for the side that proposed', async () => {
    const { id } = await proposeJob(api.world);
    for (const action of ['accept', 'reject'])
      expect(
        expectProblem(await act(principal(), id, action), 403, 'FORBIDDEN')['allowedActors'],
      ).toContain('performer');
  });

  it('revision: as its own tests say', async () => {
    const { id } = await openDelivered(api.world);
    expect((await ok(act(principal(), id, 'revision')))['status']).toBe('REVISION_REQUESTED');
  });

  it('404: strangers, and ids of nobody', async () => {
    const { id } = await proposeJob(api.world);
    const stranger = await addAgent(api.world.admin, api.world.orgId, `stranger at ${door}`);
    for (const action of ['accept', 'reject', 'cancel', 'revision']) {
      expectProblem(await act(stranger.client, id, action), 404, 'NOT_FOUND');
      expectProblem(await act(principal(), NOBODY, action), 404, 'NOT_FOUND');
    }
  });
});

describe('activate', () => {
  it('200 ACTIVE: the principal performs what it starts', async () => {
    const { id } = await draftJob(api.world);
    expect(await ok(byTransition(principal(), id, 'activate'))).toMatchObject({
      status: 'ACTIVE',
      performerAgentId: api.world.principal.id,
      signedStatement: { entryType: 'RECORD_ACTIVATED' },
    });
    expect(
      await ok(principal().post(`/v1/records/${id}/completions`, { evidence: { score: 1 } })),
    ).toMatchObject({
      revision: 1,
      submittedBy: { kind: 'agent', agentId: api.world.principal.id },
    });
  });
});

describe('evaluate', () => {
  it('422 mode_not_auto: the principal decides', async () => {
    const { id } = await openDelivered(api.world);
    const { body, status } = await byTransition(principal(), id, 'evaluate');
    expect({ status, reason: body['reason'] }).toEqual({ status: 422, reason: 'mode_not_auto' });
  });

  it('422 INVALID_ACTION: nothing is pending', async () => {
    const { id } = await openJob(api.world, { type: 'auto-job' });
    expectProblem(await byTransition(principal(), id, 'evaluate'), 422, 'INVALID_ACTION');
  });
});

describe('422 INVALID_ACTION on /transition', () => {
  const refused = async (id: unknown, action: string, state: string): Promise<Body> => {
    const problem = expectProblem(
      await byTransition(principal(), id, action),
      422,
      'INVALID_ACTION',
      { type: '/problems/invalid-action', attemptedAction: action, currentState: state },
    );
    expect(problem['allowedActions']).toEqual(expect.arrayContaining([expect.any(String)]));
    expect(problem['suggestion']).toEqual(expect.any(String));
    return problem;
  };

  it.each([
    'frobnicate',
    'ACCEPT',
    'toString',
    '__proto__',
    'constructor',
    'create',
    'submit-completion',
    'render-verdict',
    'open-dispute',
    'expire',
  ])('an action that it does not take: %s', async (action) => {
    const { id } = await openJob(api.world);
    await refused(id, action, 'ACTIVE');
    expect(await entryTypes(principal(), id)).toHaveLength(1);
  });

  it('an action that the state does not allow, with those that it does', async () => {
    const { id } = await openJob(api.world);
    expect((await refused(id, 'activate', 'ACTIVE'))['allowedActions']).toEqual(
      expect.arrayContaining(['submit-completion', 'cancel']),
    );
    const proposal = await proposeJob(api.world);
    await refused(proposal['id'], 'activate', 'PROPOSED');
    await refused(proposal['id'], 'revision', 'PROPOSED');
    const done = await openDecided(api.world, 'accept');
    expect((await refused(done.id, 'cancel', 'FULFILLED'))['allowedActions'].slice(0, 2)).toEqual([
      'view',
      'export-audit',
    ]);
  });
});

describe('422 UNPROCESSABLE_STATE, invalid-transition, on the paths', () => {
  it.each([
    ['accept', 'ACTIVE'],
    ['reject', 'REJECTED'],
    ['cancel', 'CANCELLED'],
    ['revision', 'REVISION_REQUESTED'],
  ])('%s of a FULFILLED record', async (action, attemptedState) => {
    const { id } = await openDecided(api.world, 'accept');
    const problem = expectProblem(
      await principal().post(`/v1/records/${id}/${action}`),
      422,
      'UNPROCESSABLE_STATE',
      {
        type: '/problems/invalid-transition',
        currentState: 'FULFILLED',
        attemptedTransition: action,
        attemptedState,
        validTransitions: [],
      },
    );
    expect(problem['allowedActions']).toEqual(['view', 'export-audit', 'open-dispute']);
    expect(problem['suggestion']).toEqual(expect.any(String));
  });

  it('accept twice', async () => {
    const { id } = await proposeJob(api.world);
    await ok(performer().post(`/v1/records/${id}/accept`));
    expectProblem(await performer().post(`/v1/records/${id}/accept`), 422, 'UNPROCESSABLE_STATE', {
      currentState: 'ACTIVE',
    });
  });
});

describe('400', () => {
  it.each<[string, string, unknown]>([
    ['no action', 'transition', {}],
    ['an action that is no text', 'transition', { action: 5 }],
    ['an unknown member', 'transition', { action: 'cancel', reasn: 'x' }],
    ['no body', 'transition', undefined],
    ['a hash that is none', 'accept', { criteriaHash: 'abc' }],
    ['an unknown member of a path', 'cancel', { because: 'x' }],
    ['a member of another action', 'accept', { reason: 'x' }],
  ])('%s', async (_case, path, body) => {
    const { id } = await proposeJob(api.world);
    expectProblem(
      await principal().post(`/v1/records/${id}/${path}`, body),
      400,
      'VALIDATION_ERROR',
    );
  });
});

describe('scopes', () => {
  it('the performer accepts and rejects with completions:write alone', async () => {
    const { client } = await mintKey(api.world.admin, api.world.performer.id, {
      scopes: ['completions:write', 'records:read'],
    });
    const one = await proposeJob(api.world);
    expect((await client.post(`/v1/records/${one['id']}/accept`)).status).toBe(200);
    const two = await proposeJob(api.world);
    expect((await byTransition(client, two['id'], 'reject')).status).toBe(200);
  });

  it('403 INSUFFICIENT_SCOPE: cancel and revision need records:write by both doors', async () => {
    const { client } = await mintKey(api.world.admin, api.world.performer.id, {
      scopes: ['completions:write', 'records:read'],
    });
    const { id } = await openJob(api.world);
    for (const [, act] of DOORS)
      expectProblem(await act(client, id, 'cancel'), 403, 'INSUFFICIENT_SCOPE', {
        missingScopes: ['records:write'],
      });
  });

  it('403 INSUFFICIENT_SCOPE: the principal does not accept a proposal with completions:write alone', async () => {
    const { client } = await mintKey(api.world.admin, api.world.principal.id, {
      scopes: ['completions:write', 'records:read'],
    });
    const { id } = await ok(
      performer().post('/v1/records', {
        type: 'job',
        criteria: { goal: 'g' },
        principalAgentId: api.world.principal.id,
        performerAgentId: api.world.performer.id,
      }),
    );
    for (const [, act] of DOORS)
      expectProblem(await act(client, id, 'accept'), 403, 'INSUFFICIENT_SCOPE', {
        missingScopes: ['records:write'],
      });
  });
});

it('an accept against a cancel: one wins', async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await proposeJob(api.world);
    const answers = await Promise.all([
      performer().post(`/v1/records/${id}/accept`),
      performer().post(`/v1/records/${id}/reject`),
      byTransition(performer(), id, 'accept'),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422, 422]);
    expect(await entryTypes(principal(), id)).toHaveLength(2);
  }
});

it('the whole way of a negotiated record leaves the chain that the table says', async () => {
  const { id } = await proposeJob(api.world);
  await ok(performer().post(`/v1/records/${id}/accept`));
  await deliver(api.world, id);
  await ok(principal().post(`/v1/records/${id}/revision`));
  const completion = await deliver(api.world, id, { score: 12 });
  await ok(
    principal().post(`/v1/records/${id}/verdict`, {
      verdict: 'accept',
      completionId: completion['id'],
    }),
  );
  expect(await entryTypes(principal(), id)).toEqual([
    'RECORD_PROPOSED',
    'PROPOSAL_ACCEPTED',
    'COMPLETION_SUBMITTED',
    'REVISION_REQUESTED',
    'COMPLETION_SUBMITTED',
    'VERDICT_RENDERED',
    'SIGNAL_EMITTED',
  ]);
});
