import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem, HEX_256, NOBODY, TIMESTAMP } from '../support/stories/problems.ts';
import {
  deliver,
  draftJob,
  ok,
  openDelivered,
  openJob,
  type Body,
} from '../support/service/world.ts';

const api = useApi();
const statusOf = (id: unknown): Promise<Body> =>
  ok(api.world.principal.client.get(`/v1/records/${String(id)}/gate-status`));

describe('the gate status', () => {
  it('before a completion: nothing to show, and who is awaited', async () => {
    const { id } = await openJob(api.world);
    const body = await statusOf(id);
    expect(body).toMatchObject({
      recordId: id,
      completionId: null,
      mode: 'principal',
      awaiting: 'performer',
    });
    expect(Object.keys(body)).toEqual(
      expect.arrayContaining([
        'phase1',
        'phase2',
        'nextActions',
        'validTransitions',
        'suggestion',
        'nextSteps',
      ]),
    );
    expect((await statusOf((await draftJob(api.world))['id']))['completionId']).toBeNull();
  });

  it('after one in principal mode: advisory results', async () => {
    const { id, completionId } = await openDelivered(api.world);
    expect(await statusOf(id)).toMatchObject({
      recordId: id,
      completionId,
      mode: 'principal',
      awaiting: 'principal',
      phase2: {
        state: 'ADVISORY_PASSED',
        evaluatedAt: expect.stringMatching(TIMESTAMP),
        results: [
          {
            gateId: 'score',
            outcome: 'pass',
            severity: 'block',
            inputsDigest: expect.stringMatching(HEX_256),
          },
        ],
      },
    });
    expect((await statusOf(id))['phase1']).toMatchObject({ valid: true, errors: [] });
  });

  it.each([
    [9, 'PASSED'],
    [1, 'FAILED'],
  ])('in auto mode with a score of %d: %s', async (score, state) => {
    const { id } = await openJob(api.world, { type: 'auto-job' });
    await deliver(api.world, id, { score });
    expect(await statusOf(id)).toMatchObject({ mode: 'auto', awaiting: null, phase2: { state } });
  });

  it('shows the newest completion after a revision', async () => {
    const { id } = await openDelivered(api.world, {}, { score: 1 });
    expect((await statusOf(id))['phase2'].state).toBe('ADVISORY_FAILED');
    await ok(api.world.principal.client.post(`/v1/records/${id}/revision`));
    const second = await deliver(api.world, id, { score: 20 });
    expect(await statusOf(id)).toMatchObject({
      completionId: second['id'],
      phase2: { state: 'ADVISORY_PASSED' },
    });
  });

  it('of a notarized record: 200 without a completion', async () => {
    const { id } = await ok(
      api.world.principal.client.post('/v1/records', { type: 'note', criteria: {} }),
    );
    expect(await statusOf(id)).toMatchObject({ completionId: null, awaiting: null });
  });
});

it('404: an unknown record; 400: no UUID, an unknown parameter', async () => {
  const { client } = api.world.principal;
  expectProblem(await client.get(`/v1/records/${NOBODY}/gate-status`), 404, 'NOT_FOUND');
  expectProblem(await client.get('/v1/records/x/gate-status'), 400, 'VALIDATION_ERROR');
  const { id } = await openJob(api.world);
  expectProblem(await client.get(`/v1/records/${id}/gate-status?x=1`), 400, 'VALIDATION_ERROR');
});
