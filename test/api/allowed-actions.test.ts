import { expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem } from '../support/stories/problems.ts';
import {
  draftJob,
  GOAL,
  JOB_TYPE,
  ok,
  openDecided,
  openJob,
  proposeJob,
  sleep,
} from '../support/service/world.ts';

const api = useApi();
const principal = () => api.world.principal.client;
const performer = () => api.world.performer.client;
const at = (id: unknown, path: string): string => `/v1/records/${String(id)}${path}`;

/** What the refusal of an action names, which the state never allows here. */
const allowed = async (id: unknown): Promise<unknown> =>
  expectProblem(
    await principal().post(at(id, '/transition'), { action: 'activate' }),
    422,
    (await ok(principal().get(at(id, ''))))['disputed'] ? 'UNPROCESSABLE_STATE' : 'INVALID_ACTION',
  )['allowedActions'];

it('open-dispute is named in its window and not after it', async () => {
  await ok(
    api.world.admin.post('/v1/schemas', { ...JOB_TYPE, type: 'brief', disputeWindowSeconds: 3 }),
  );
  const { id } = await openDecided(api.world, 'accept', { type: 'brief' });
  expect(await allowed(id)).toEqual(['view', 'export-audit', 'open-dispute']);
  await sleep(3_100);
  expect(await allowed(id)).toEqual(['view', 'export-audit']);
  // Whichever operation refuses.
  for (const refusal of [
    await principal().post(at(id, '/cancel')),
    await performer().post(at(id, '/completions'), { evidence: { score: 9 } }),
    await principal().post(at(id, '/dispute')),
    await performer().post('/v1/records', { type: 'job', criteria: GOAL, parentRecordId: id }),
    await principal().post(at(id, '/transition'), { action: 'fly' }),
  ])
    expect([refusal.status, refusal.body['allowedActions']]).toEqual([
      422,
      ['view', 'export-audit'],
    ]);
});

it('escalate-dispute is named while the dispute is open, and not at its last tier', async () => {
  const { id } = await openDecided(api.world, 'accept');
  await ok(principal().post(at(id, '/dispute')));
  const steps = ['submit-dispute-evidence', 'escalate-dispute', 'resolve-dispute'];
  expect(await allowed(id)).toEqual(['view', 'export-audit', ...steps, 'withdraw-dispute']);
  await ok(principal().post(at(id, '/dispute/escalate')));
  expect(await allowed(id)).toContain('escalate-dispute');
  await ok(principal().post(at(id, '/dispute/escalate')));
  expect(await allowed(id)).not.toContain('escalate-dispute');
  const last = await principal().post(at(id, '/dispute/escalate'));
  expect(last.body['allowedActions']).not.toContain('escalate-dispute');
});

it('counter-propose is named until the tenth round, in refusals and in guidance', async () => {
  const { id } = await proposeJob(api.world);
  for (let round = 0; round < 10; round++) {
    expect(await allowed(id)).toContain('counter-propose');
    const side = round % 2 === 0 ? performer() : principal();
    await ok(side.post(at(id, '/counter-propose'), { criteria: GOAL }));
  }
  expect(await allowed(id)).toEqual(['accept-counter', 'reject', 'cancel']);
  const read = await ok(performer().get(`/v1/records/${String(id)}`));
  expect(read['nextActions']).not.toContain('counter-propose');
  expectProblem(
    await performer().post(at(id, '/counter-propose'), { criteria: GOAL }),
    422,
    'UNPROCESSABLE_STATE',
    { detail: 'A proposal goes back and forth at most 10 times.' },
  );
});

it.each([
  ['delegate', () => '/v1/records'],
  ['submit-completion', (id: unknown) => at(id, '/completions')],
])(
  '%s on /transition names the request that takes it, and is not an allowed action',
  async (action, href) => {
    const { id } = await openJob(api.world);
    const problem = expectProblem(
      await performer().post(at(id, '/transition'), { action }),
      422,
      'INVALID_ACTION',
      {
        attemptedAction: action,
        currentState: 'ACTIVE',
        nextSteps: [expect.objectContaining({ action, method: 'POST', href: href(id) })],
      },
    );
    expect(problem['allowedActions']).toContain('cancel');
    expect(problem['allowedActions']).not.toContain(action);
  },
);

it('names the actions that /transition takes if action is missing', async () => {
  const { id } = await openJob(api.world);
  const problem = expectProblem(
    await performer().post(at(id, '/transition'), {}),
    400,
    'VALIDATION_ERROR',
  );
  expect(problem['allowedValues']).toEqual(expect.arrayContaining(['accept', 'cancel']));
  expect(problem['allowedValues']).not.toContain('submit-completion');
});

it('names verify-cascade only after the children have ended, although no rule waits for them', async () => {
  const { id } = await openJob(api.world);
  const child = await ok(
    performer().post('/v1/records', { type: 'job', criteria: GOAL, parentRecordId: id }),
  );
  expect(await allowed(id)).not.toContain('verify-cascade');
  await ok(performer().post(at(child['id'], '/cancel')));
  expect(await allowed(id)).toContain('verify-cascade');
});

it('tells the principal of a draft to activate it before it submits a completion', async () => {
  const { id } = await draftJob(api.world);
  const submit = () => principal().post(at(id, '/completions'), { evidence: { score: 9 } });
  expectProblem(await submit(), 403, 'FORBIDDEN', {
    suggestion: 'Activate the record first; its principal is then its performer.',
  });
  await ok(principal().post(at(id, '/transition'), { action: 'activate' }));
  expect((await submit()).status).toBe(201);
});
