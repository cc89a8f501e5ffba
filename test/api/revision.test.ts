import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem, NOBODY } from '../support/stories/problems.ts';
import {
  chainOf,
  deliver,
  JOB_TYPE,
  ok,
  openDelivered,
  openJob,
} from '../support/service/world.ts';

const api = useApi();
const principal = () => api.world.principal.client;
const revise = (id: unknown, body?: unknown, client = principal()) =>
  client.post(`/v1/records/${String(id)}/revision`, body);

describe('a revision', () => {
  it('200 REVISION_REQUESTED: the performer is awaited again', async () => {
    const { id } = await openDelivered(api.world);
    const { status, body } = await revise(id, { reason: 'Name the sources.' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'REVISION_REQUESTED',
      awaiting: 'performer',
      revisionCount: 1,
      signedStatement: { entryType: 'REVISION_REQUESTED', position: 3 },
    });
    expect(new Set(body['validTransitions'])).toEqual(new Set(['ACTIVE', 'CANCELLED']));
    expect(body['nextActions'][0]).toBe('submit-completion');
    expect((await chainOf(principal(), id)).at(-1)!['statement'].predicate).toMatchObject({
      reason: 'Name the sources.',
      transition: { action: 'revision', from: 'ACTIVE', to: 'REVISION_REQUESTED' },
    });
  });

  it('200 without a body', async () => {
    const { id } = await openDelivered(api.world);
    expect((await revise(id)).status).toBe(200);
  });

  it('the resubmission is a new completion; the old one stays readable and is judged no more', async () => {
    const { id, completionId } = await openDelivered(api.world);
    await ok(revise(id));
    const second = await deliver(api.world, id, { score: 10 });
    expect(second).toMatchObject({ revision: 2, evidence: { score: 10 } });
    expect(second['id']).not.toBe(completionId);
    expect(await ok(principal().get(`/v1/records/${id}`))).toMatchObject({
      status: 'ACTIVE',
      latestCompletionId: second['id'],
      revisionCount: 1,
    });
    expect(
      await ok(principal().get(`/v1/records/${id}/completions/${completionId}`)),
    ).toMatchObject({ revision: 1, evidence: { score: 9 } });
    expect(
      (await principal().post(`/v1/records/${id}/verdict`, { verdict: 'accept', completionId }))
        .status,
    ).toBe(422);
    expect(
      (
        await ok(
          principal().post(`/v1/records/${id}/verdict`, {
            verdict: 'accept',
            completionId: second['id'],
          }),
        )
      )['status'],
    ).toBe('FULFILLED');
  });

  it('moves a deadline to at least a day from now', async () => {
    const { id } = await openDelivered(api.world, { ttlSeconds: 600 });
    const { expiresAt } = await ok(revise(id));
    expect(Date.parse(expiresAt)).toBeGreaterThanOrEqual(Date.now() + 24 * 3600_000 - 10_000);
  });

  it('leaves the performer more than a day where nothing set a deadline', async () => {
    const { id } = await openDelivered(api.world);
    const { expiresAt } = await ok(revise(id));
    expect(expiresAt === null || Date.parse(expiresAt) > Date.now() + 24 * 3600_000).toBe(true);
  });
});

describe('422', () => {
  it.each([
    ['default', 'job', 3],
    ['own', 'twice-only', 2],
    ['none', 'never', 0],
  ] as const)('the %s maxRevisions is reached', async (_which, type, most) => {
    if (type !== 'job')
      await ok(api.world.admin.post('/v1/schemas', { ...JOB_TYPE, type, maxRevisions: most }));
    const { id } = await openJob(api.world, { type });
    for (let round = 0; round < most; round++) {
      await deliver(api.world, id);
      expect((await revise(id)).status).toBe(200);
    }
    await deliver(api.world, id);
    const { status, body } = await revise(id);
    expect({ status, code: body['code'] }).toEqual({ status: 422, code: 'UNPROCESSABLE_STATE' });
    expect((await ok(principal().get(`/v1/records/${id}`)))['nextActions']).not.toContain(
      'revision',
    );
  });

  it('invalid-transition: nothing delivered', async () => {
    const { id } = await openJob(api.world);
    const problem = expectProblem(await revise(id), 422, 'UNPROCESSABLE_STATE', {
      type: '/problems/invalid-transition',
      currentState: 'ACTIVE',
      attemptedTransition: 'revision',
      attemptedState: 'REVISION_REQUESTED',
    });
    expect(problem['allowedActions']).toEqual(
      expect.arrayContaining(['submit-completion', 'cancel']),
    );
    expect(problem['validTransitions']).toEqual(['FULFILLED', 'FAILED', 'CANCELLED']);
  });
});

describe('403, 404 and 400', () => {
  it('403: the performer', async () => {
    const { id } = await openDelivered(api.world);
    expect(
      expectProblem(await revise(id, undefined, api.world.performer.client), 403, 'FORBIDDEN')[
        'allowedActors'
      ],
    ).toContain('principal');
  });
  it('404: an unknown record', async () => {
    expectProblem(await revise(NOBODY), 404, 'NOT_FOUND');
  });
  it('400: an unknown member', async () => {
    const { id } = await openDelivered(api.world);
    expectProblem(await revise(id, { reasons: 'x' }), 400, 'VALIDATION_ERROR');
  });
});
