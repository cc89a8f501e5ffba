import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem, NOBODY } from '../support/stories/problems.ts';
import {
  stepsOf,
  deliver,
  draftJob,
  entryTypes,
  ok,
  openDecided,
  openDelivered,
  openJob,
  type Body,
  type Client,
} from '../support/service/world.ts';

const api = useApi();
const principal = () => api.world.principal.client;
const render = (id: unknown, body: unknown, client: Client = principal()) =>
  client.post(`/v1/records/${String(id)}/verdict`, body);

describe('a verdict', () => {
  it('accept: 200 FULFILLED, nothing awaited, the verdict on the completion', async () => {
    const { id, completionId } = await openDelivered(api.world);
    const { status, body } = await render(id, {
      verdict: 'accept',
      completionId,
      reason: 'Well done.',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      status: 'FULFILLED',
      awaiting: null,
      validTransitions: [],
      signedStatement: { position: 3, entryType: 'VERDICT_RENDERED' },
    });
    expect(body['terminalAt']).toEqual(expect.any(String));
    expect(
      (await ok(principal().get(`/v1/records/${id}/completions/${completionId}`)))['verdict'],
    ).toMatchObject({
      verdict: 'accept',
      reason: 'Well done.',
      renderedBy: { kind: 'agent', agentId: api.world.principal.id },
      renderedAt: expect.any(String),
    });
  });

  it('reject: 200 FAILED, which can still be overridden', async () => {
    const { id, completionId } = await openDelivered(api.world);
    const { status, body } = await render(id, { verdict: 'reject', completionId });
    expect({ status, state: body['status'], valid: body['validTransitions'] }).toEqual({
      status: 200,
      state: 'FAILED',
      valid: ['REMEDIATED'],
    });
  });

  it('accept overriding the rejection: 200 REMEDIATED, and that is the end', async () => {
    const { id, completionId } = await openDecided(api.world, 'reject');
    expect((await ok(render(id, { verdict: 'accept', completionId })))['status']).toBe(
      'REMEDIATED',
    );
    expectProblem(
      await render(id, { verdict: 'accept', completionId }),
      422,
      'UNPROCESSABLE_STATE',
      { currentState: 'REMEDIATED' },
    );
    expect(await entryTypes(principal(), id)).toEqual([
      'RECORD_CREATED',
      'COMPLETION_SUBMITTED',
      'VERDICT_RENDERED',
      'SIGNAL_EMITTED',
      'VERDICT_RENDERED',
      'SIGNAL_EMITTED',
    ]);
  });

  it('is sealed with the completion and its evidence', async () => {
    const { id, completionId } = await openDecided(api.world, 'reject');
    const { evidenceHash } = await ok(
      principal().get(`/v1/records/${id}/completions/${completionId}`),
    );
    const entry = (await stepsOf(principal(), id)).at(-1)!;
    expect(entry['statement'].predicate).toMatchObject({
      verdict: 'reject',
      completionId,
      evidenceHash,
      transition: { action: 'render-verdict', from: 'ACTIVE', to: 'FAILED' },
      actor: { kind: 'agent', agentId: api.world.principal.id },
    });
    expect(entry['statement'].subject).toEqual([
      { name: `record/${id}`, digest: { sha256: evidenceHash } },
    ]);
  });

  it.each([
    ['admin', () => api.world.admin],
    ['platform', () => api.world.platform],
  ])('by %s for the principal never poses as the agent', async (kind, client) => {
    const { id, completionId } = await openDelivered(api.world);
    expect((await render(id, { verdict: 'accept', completionId }, client())).status).toBe(200);
    expect((await stepsOf(principal(), id)).at(-1)!['statement'].predicate.actor.kind).toBe(kind);
  });
});

describe('422 UNPROCESSABLE_STATE', () => {
  it.each<[string, string, () => Promise<Body>]>([
    ['a draft', 'CREATED', () => draftJob(api.world)],
    ['nothing delivered', 'ACTIVE', () => openJob(api.world)],
    ['FULFILLED', 'FULFILLED', () => openDecided(api.world, 'accept')],
  ])('%s', async (_case, currentState, open) => {
    const { id } = await open();
    const problem = expectProblem(
      await render(id, { verdict: 'accept', completionId: NOBODY }),
      422,
      'UNPROCESSABLE_STATE',
      {
        type: '/problems/unprocessable-state',
        currentState,
        attemptedTransition: 'render-verdict',
      },
    );
    expect(Object.keys(problem)).toEqual(
      expect.arrayContaining([
        'attemptedState',
        'validTransitions',
        'allowedActions',
        'suggestion',
      ]),
    );
  });

  it('a rejection is not rejected again', async () => {
    const { id, completionId } = await openDecided(api.world, 'reject');
    expectProblem(
      await render(id, { verdict: 'reject', completionId }),
      422,
      'UNPROCESSABLE_STATE',
      { currentState: 'FAILED' },
    );
  });

  it('FAILED lists what is allowed: view and export-audit first', async () => {
    const { id, completionId } = await openDecided(api.world, 'reject');
    const { allowedActions } = expectProblem(
      await render(id, { verdict: 'reject', completionId }),
      422,
      'UNPROCESSABLE_STATE',
    );
    expect(allowedActions.slice(0, 2)).toEqual(['view', 'export-audit']);
    expect(allowedActions).toContain('open-dispute');
  });
});

describe('422', () => {
  it('a completionId that is not the one awaiting the verdict, stale or unknown', async () => {
    const { id, completionId } = await openDelivered(api.world);
    expect((await render(id, { verdict: 'accept', completionId: NOBODY })).status).toBe(422);
    await ok(principal().post(`/v1/records/${id}/revision`));
    const second = await deliver(api.world, id);
    const { status, body } = await render(id, { verdict: 'accept', completionId });
    expect(status).toBe(422);
    expect(String(body['suggestion'])).not.toBe('');
    expect((await render(id, { verdict: 'accept', completionId: second['id'] })).status).toBe(200);
  });

  it('an override with another completion than the rejected one', async () => {
    const { id } = await openDecided(api.world, 'reject');
    expect((await render(id, { verdict: 'accept', completionId: NOBODY })).status).toBe(422);
    expect((await ok(principal().get(`/v1/records/${id}`)))['status']).toBe('FAILED');
  });

  it('mode_not_principal: what the gates decided is not overridden', async () => {
    const { id } = await openJob(api.world, { type: 'auto-job' });
    const { id: completionId } = await deliver(api.world, id, { score: 1 });
    expectProblem(
      await render(id, { verdict: 'accept', completionId }),
      422,
      'UNPROCESSABLE_STATE',
      { reason: 'mode_not_principal' },
    );
    expect((await ok(principal().get(`/v1/records/${id}`)))['status']).toBe('FAILED');
  });
});

describe('403, 404 and 400', () => {
  it('403 with allowedActors: the performer does not judge its own work', async () => {
    const { id, completionId } = await openDelivered(api.world);
    expect(
      expectProblem(
        await render(id, { verdict: 'accept', completionId }, api.world.performer.client),
        403,
        'FORBIDDEN',
      )['allowedActors'],
    ).toContain('principal');
  });

  it('403 comes before the state: the performer of a record without a completion', async () => {
    const { id } = await openJob(api.world);
    expectProblem(
      await render(id, { verdict: 'accept', completionId: NOBODY }, api.world.performer.client),
      403,
      'FORBIDDEN',
    );
  });

  it('404: an unknown record', async () => {
    expectProblem(
      await render(NOBODY, { verdict: 'accept', completionId: NOBODY }),
      404,
      'NOT_FOUND',
    );
  });

  it.each<[string, unknown]>([
    ['no completionId', { verdict: 'accept' }],
    ['no verdict', { completionId: NOBODY }],
    ['another word', { verdict: 'maybe', completionId: NOBODY }],
    ['no UUID', { verdict: 'accept', completionId: 'last' }],
    ['an unknown member', { verdict: 'accept', completionId: NOBODY, comment: 'x' }],
    ['a long reason', { verdict: 'accept', completionId: NOBODY, reason: 'x'.repeat(20_000) }],
  ])('400: %s', async (_case, body) => {
    const { id } = await openDelivered(api.world);
    expectProblem(await render(id, body), 400, 'VALIDATION_ERROR');
  });

  it('400 names the words that are allowed', async () => {
    const { id } = await openDelivered(api.world);
    expectProblem(
      await render(id, { verdict: 'maybe', completionId: NOBODY }),
      400,
      'VALIDATION_ERROR',
      { allowedValues: ['accept', 'reject'] },
    );
  });
});

it('verdicts at once: one wins, the others get the answer of the new state, and the chain holds one entry', async () => {
  for (let round = 0; round < 5; round++) {
    const { id, completionId } = await openDelivered(api.world);
    const answers = await Promise.all([
      render(id, { verdict: 'reject', completionId }, api.world.admin),
      render(id, { verdict: 'reject', completionId }),
      principal().post(`/v1/records/${id}/cancel`),
      principal().post(`/v1/records/${id}/revision`),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422, 422, 422]);
    expect(await stepsOf(principal(), id)).toHaveLength(3);
  }
});
