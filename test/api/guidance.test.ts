import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import {
  GOAL,
  JOB_TYPE,
  mintKey,
  ok,
  openDecided,
  openDelivered,
  openJob,
  sleep,
  type Body,
  type Client,
  type World,
} from '../support/service/world.ts';

const api = useApi();

const BODIES: Readonly<Record<string, (record: Body) => unknown>> = {
  'submit-completion': () => ({ evidence: { score: 9 } }),
  'render-verdict': (record) => ({ verdict: 'accept', completionId: record['latestCompletionId'] }),
  activate: () => ({ action: 'activate' }),
  evaluate: () => ({ action: 'evaluate' }),
};

/** Knows nothing but: read the record, do the first next step. */
const firstStep = async (client: Client, recordId: string): Promise<void> => {
  const record = await ok(client.get(`/v1/records/${recordId}`));
  const [step] = record['nextSteps'] as { action: string; method: string; href: string }[];
  expect(step).toBeDefined();
  await ok(
    client.call(
      step!.method,
      step!.href,
      step!.method === 'GET' ? undefined : BODIES[step!.action]?.(record),
    ),
  );
};

const both = async (recordId: string): Promise<void> => {
  const { performerAgentId } = await ok(api.world.platform.get(`/v1/records/${recordId}`));
  await firstStep(api.world.principal.client, recordId);
  if (performerAgentId !== null) await firstStep(api.world.performer.client, recordId);
};

const untilFulfilled = async (recordId: string): Promise<void> => {
  for (let round = 0; round < 8; round++) {
    if ((await ok(api.world.platform.get(`/v1/records/${recordId}`)))['status'] === 'FULFILLED')
      return;
    await both(recordId);
  }
  expect.fail('the record did not end');
};

it('a step whose path does not name the action gives the body that does', async () => {
  const { principal } = api.world;
  const { id } = await ok(
    principal.client.post('/v1/records', { type: 'job', criteria: { goal: 'g', threshold: 1 } }),
  );
  const { nextSteps } = await ok(principal.client.get(`/v1/records/${id}`));
  const { method, href, description } = (nextSteps as Body[]).find(
    ({ action }) => action === 'activate',
  )!;
  expect(
    (
      await ok(
        principal.client.call<Body>(
          method,
          href,
          String(description).slice(String(description).indexOf('{')),
        ),
      )
    )['status'],
  ).toBe('ACTIVE');
});

describe('two clients that do the first next step', () => {
  const open = (by: 'principal' | 'performer', more: (world: World) => Body): Promise<Body> => {
    const criteria = { goal: 'g', threshold: 1 };
    const body = { type: 'job', criteria, ...more(api.world) };
    return ok(api.world[by].client.post('/v1/records', body));
  };
  const WAYS: readonly [string, 'principal' | 'performer', (world: World) => Body][] = [
    [
      'a proposal of the principal',
      'principal',
      ({ performer }) => ({ performerAgentId: performer.id }),
    ],
    [
      'a proposal of the performer',
      'performer',
      ({ performer, principal }) => ({
        performerAgentId: performer.id,
        principalAgentId: principal.id,
      }),
    ],
    [
      'a record that starts at once',
      'principal',
      ({ performer }) => ({ performerAgentId: performer.id, autoActivate: true }),
    ],
    ['a draft', 'principal', () => ({})],
    [
      'a type whose gates decide',
      'principal',
      ({ performer }) => ({ type: 'auto-job', performerAgentId: performer.id }),
    ],
  ];

  it.each(WAYS)('end %s FULFILLED', async (_way, by, more) => {
    const { id } = await open(by, more);
    for (let round = 0; round < 8; round++) {
      const { status, performerAgentId } = await ok(api.world.platform.get(`/v1/records/${id}`));
      if (status === 'FULFILLED') return;
      await firstStep(api.world.principal.client, id);
      if (performerAgentId === api.world.performer.id)
        await firstStep(api.world.performer.client, id);
    }
    expect.fail('the record did not end');
  });

  it('end a delegated record FULFILLED, and then the record that waited for it', async () => {
    const { performer, principal, admin } = api.world;
    await ok(
      admin.post('/v1/schemas', {
        ...JOB_TYPE,
        type: 'staged-job',
        cascade: { rule: 'all-fulfilled' },
      }),
    );
    const criteria = { goal: 'g', threshold: 1 };
    const parent = String(
      (
        await ok(
          principal.client.post('/v1/records', {
            type: 'staged-job',
            criteria,
            performerAgentId: performer.id,
            autoActivate: true,
          }),
        )
      )['id'],
    );
    const child = String(
      (
        await ok(
          performer.client.post('/v1/records', {
            type: 'job',
            criteria,
            parentRecordId: parent,
            performerAgentId: principal.id,
          }),
        )
      )['id'],
    );
    await both(parent);
    expect(await ok(principal.client.get(`/v1/records/${parent}`))).toMatchObject({
      status: 'ACTIVE',
      awaiting: 'children',
    });
    await untilFulfilled(child);
    await untilFulfilled(parent);
  });
});

it('cancel of a record with children says that it takes cascade', async () => {
  const { principal, performer } = api.world;
  const { id } = await openJob(api.world);
  await ok(
    performer.client.post('/v1/records', { type: 'job', criteria: GOAL, parentRecordId: id }),
  );
  const { nextSteps } = await ok(principal.client.get(`/v1/records/${String(id)}`));
  const { method, href, description } = (nextSteps as Body[]).find(
    ({ action }) => action === 'cancel',
  )!;
  const body = String(description).slice(String(description).indexOf('{'));
  expect((await ok(principal.client.call<Body>(method, href, body)))['status']).toBe('CANCELLED');
});

describe('the states that are reachable', () => {
  const states = async (id: unknown): Promise<unknown> =>
    (await ok(api.world.principal.client.get(`/v1/records/${String(id)}`)))['validTransitions'];

  it('leave out REVISION_REQUESTED after the last revision', async () => {
    const { admin, principal, performer } = api.world;
    await ok(admin.post('/v1/schemas', { ...JOB_TYPE, type: 'one-revision', maxRevisions: 1 }));
    const { id } = await openDelivered(api.world, { type: 'one-revision' });
    expect(await states(id)).toContain('REVISION_REQUESTED');
    await ok(principal.client.post(`/v1/records/${id}/revision`, {}));
    await ok(performer.client.post(`/v1/records/${id}/completions`, { evidence: { score: 9 } }));
    expect(await states(id)).toEqual(['FULFILLED', 'FAILED', 'CANCELLED']);
  });

  it('leave out REMEDIATED once nothing can change what the gates decided', async () => {
    const { admin } = api.world;
    await ok(
      admin.post('/v1/schemas', {
        ...JOB_TYPE,
        type: 'brief-auto',
        gateMode: 'auto',
        disputeWindowSeconds: 2,
      }),
    );
    const { id } = await openDelivered(api.world, { type: 'brief-auto' }, { score: 1 });
    expect(await states(id)).toEqual(['REMEDIATED']);
    await sleep(2_100);
    expect(await states(id)).toEqual([]);
    const refusal = await api.world.principal.client.post(`/v1/records/${id}/cancel`);
    expect([refusal.status, refusal.body['validTransitions']]).toEqual([422, []]);
  });
});

it.each<[string, readonly string[], () => Promise<unknown>, string]>([
  [
    'a delivery that the key may not make',
    ['records:read', 'records:write'],
    async () => {
      await api.world.admin.post('/v1/schemas', {
        ...JOB_TYPE,
        type: 'team-job',
        cascade: { rule: 'all-fulfilled' },
      });
      return (await openJob(api.world, { type: 'team-job' }))['id'];
    },
    'Wait for the performer.',
  ],
  [
    'an export that the key may not read',
    ['records:read'],
    async () => (await openDecided(api.world, 'reject'))['id'],
    'The record is FAILED.',
  ],
  [
    'evidence that the key may not submit',
    ['records:read'],
    async () => {
      const { id } = await openDecided(api.world, 'accept');
      await ok(api.world.principal.client.post(`/v1/records/${id}/dispute`));
      return id;
    },
    'Wait for the dispute to end.',
  ],
])('does not suggest %s', async (_title, scopes, open, suggestion) => {
  const { admin, performer } = api.world;
  const key = await mintKey(admin, performer.id, { scopes, label: 'narrow' });
  const record = await ok(key.client.get(`/v1/records/${String(await open())}`));
  expect(record['suggestion']).toBe(suggestion);
  expect(record['hint']).not.toContain('exported');
});
