import { describe, expect, it } from 'vitest';
import { TOKENS } from '../../config/tokens.ts';
import { useApi } from '../support/service/api.ts';
import { until } from '../support/peers/receiver.ts';
import { expectProblem } from '../support/stories/problems.ts';
import {
  stepsOf,
  deliver,
  entryTypes,
  GOAL,
  JOB_TYPE,
  ok,
  openDelivered,
  openJob,
  proposeJob,
  sleep,
  type Body,
} from '../support/service/world.ts';

const api = useApi();
const principal = () => api.world.principal.client;
const performer = () => api.world.performer.client;
/** Time for the steps that come before a deadline, on a machine that is busy. */
const TTL = { ttlSeconds: 3 };
const past = () => sleep(3_150);
const read = (id: unknown): Promise<Body> => ok(principal().get(`/v1/records/${String(id)}`));

// Each on a record of its own, so that they wait for their deadlines together.
describe.concurrent('a deadline', () => {
  it('is the time of creation and the ttl, or the time given', async () => {
    const one = await openJob(api.world, { ttlSeconds: 3600 });
    expect(Date.parse(one['expiresAt']) - Date.parse(one['createdAt'])).toBe(3600_000);
    expect((await openJob(api.world, { expiresAt: '2099-01-02T03:04:05.678Z' }))['expiresAt']).toBe(
      '2099-01-02T03:04:05.678Z',
    );
    await ok(
      api.world.admin.post('/v1/schemas', { ...JOB_TYPE, type: 'short', defaultTtlSeconds: 60 }),
    );
    const typed = await openJob(api.world, { type: 'short' });
    expect(Date.parse(typed['expiresAt']) - Date.parse(typed['createdAt'])).toBe(60_000);
  });

  it('passed: a GET shows EXPIRED', async () => {
    const { id, expiresAt } = await openJob(api.world, TTL);
    const before = await principal().get(`/v1/records/${id}`);
    expect(before.body['status']).toBe('ACTIVE');
    await past();
    const after = await principal().get(`/v1/records/${id}`, {
      'if-none-match': String(before.headers.get('etag')),
    });
    expect({
      status: after.status,
      state: after.body['status'],
      awaiting: after.body['awaiting'],
      actions: after.body['nextActions'],
      valid: after.body['validTransitions'],
    }).toEqual({ status: 200, state: 'EXPIRED', awaiting: null, actions: [], valid: [] });
    expect(Date.parse(after.body['terminalAt'])).toBeGreaterThanOrEqual(Date.parse(expiresAt));
  });

  it('passed and read: the listing shows EXPIRED', async () => {
    const { id } = await openJob(api.world, { ...TTL, platformRef: 'read' });
    await past();
    await read(id);
    expect((await ok(principal().get('/v1/records?platformRef=read')))['data'][0].status).toBe(
      'EXPIRED',
    );
    expect(
      (await ok(principal().get('/v1/records?platformRef=read&status=ACTIVE')))['data'],
    ).toEqual([]);
  });

  it('passed and never read: the listing shows EXPIRED', async () => {
    const { id } = await openJob(api.world, { ...TTL, platformRef: 'expiring' });
    await past();
    const { data } = await ok(principal().get('/v1/records?platformRef=expiring'));
    expect((data as Body[]).map((row) => [row['id'], row['status']])).toEqual([[id, 'EXPIRED']]);
    expect(
      (await ok(principal().get('/v1/records?platformRef=expiring&status=ACTIVE')))['data'],
    ).toEqual([]);
    expect(
      (await ok(principal().get('/v1/records?platformRef=expiring&status=EXPIRED')))['total'],
    ).toBe(1);
  });

  it('passed and nobody looks: the job makes it take effect, with its entry', async () => {
    const { id } = await openJob(api.world, TTL);
    const reads = api.service.container.get(TOKENS.recordReads);
    await until(async () => (await reads.find(String(id)))?.record.status === 'EXPIRED');
    expect((await reads.find(String(id)))?.record.version).toBe(2);
    expect(await entryTypes(principal(), id)).toEqual([
      'RECORD_CREATED',
      'RECORD_EXPIRED',
      'SIGNAL_EMITTED',
    ]);
  });

  it.each<
    [
      string,
      () => Promise<Body>,
      (id: unknown) => Promise<{ status: number; body: Body; headers: Headers }>,
    ]
  >([
    [
      'a completion',
      () => openJob(api.world, TTL),
      (id) => performer().post(`/v1/records/${String(id)}/completions`, { evidence: { score: 9 } }),
    ],
    [
      'an accept',
      () => proposeJob(api.world, TTL),
      (id) => performer().post(`/v1/records/${String(id)}/accept`),
    ],
    [
      'a cancel',
      () => openJob(api.world, TTL),
      (id) => principal().post(`/v1/records/${String(id)}/cancel`),
    ],
    [
      'an activation',
      () => ok(principal().post('/v1/records', { type: 'job', criteria: GOAL, ...TTL })),
      (id) => principal().post(`/v1/records/${String(id)}/transition`, { action: 'activate' }),
    ],
  ])(
    'passed: %s finds EXPIRED, and the chain holds one RECORD_EXPIRED by the system',
    async (_what, open, act) => {
      const { id } = await open();
      await past();
      const answer = await act(id);
      expect({ status: answer.status, state: answer.body['currentState'] }).toEqual({
        status: 422,
        state: 'EXPIRED',
      });
      await act(id);
      const chain = await stepsOf(principal(), id);
      expect(chain).toHaveLength(2);
      expect(chain[1]).toMatchObject({
        entryType: 'RECORD_EXPIRED',
        statement: {
          predicate: { actor: { kind: 'system' }, transition: { action: 'expire', to: 'EXPIRED' } },
        },
      });
      expect((await read(id))['status']).toBe('EXPIRED');
    },
  );

  it('passed: many actions at once write one entry', async () => {
    const { id } = await openJob(api.world, TTL);
    await past();
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () =>
        performer().post(`/v1/records/${id}/completions`, { evidence: { score: 9 } }),
      ),
      ...Array.from({ length: 5 }, () => principal().get(`/v1/records/${id}`)),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([
      422, 422, 422, 422, 422, 200, 200, 200, 200, 200,
    ]);
    expect(await entryTypes(principal(), id)).toEqual([
      'RECORD_CREATED',
      'RECORD_EXPIRED',
      'SIGNAL_EMITTED',
    ]);
  });

  it('passed: an export shows a chain that ends as the record does', async () => {
    const { id } = await openJob(api.world, TTL);
    await past();
    const { record, chain } = await ok(principal().get(`/v1/records/${id}/audit-export`));
    expect(record.status).toBe('EXPIRED');
    expect((chain.entries as Body[]).map((entry) => entry['entryType'])).toEqual([
      'RECORD_CREATED',
      'RECORD_EXPIRED',
      'SIGNAL_EMITTED',
    ]);
  });

  it('is moved by a completion to the end of its verdict window', async () => {
    const { id } = await openDelivered(api.world, TTL);
    await past();
    expect((await read(id))['status']).toBe('ACTIVE');
    expect(
      (
        await ok(
          principal().post(`/v1/records/${id}/verdict`, {
            verdict: 'accept',
            completionId: (await read(id))['latestCompletionId'],
          }),
        )
      )['status'],
    ).toBe('FULFILLED');
  });

  it('is set by a completion where none was, and passes without a verdict', async () => {
    await ok(
      api.world.admin.post('/v1/schemas', {
        ...JOB_TYPE,
        type: 'impatient',
        verdictWindowSeconds: 3,
      }),
    );
    const { id } = await openJob(api.world, { type: 'impatient' });
    const { id: completionId } = await deliver(api.world, id);
    await past();
    expectProblem(
      await principal().post(`/v1/records/${id}/verdict`, { verdict: 'accept', completionId }),
      422,
      'UNPROCESSABLE_STATE',
      { currentState: 'EXPIRED' },
    );
    expect(await entryTypes(principal(), id)).toEqual([
      'RECORD_CREATED',
      'COMPLETION_SUBMITTED',
      'RECORD_EXPIRED',
      'SIGNAL_EMITTED',
    ]);
  });

  it('does not end what ended before', async () => {
    const { id, completionId } = await openDelivered(api.world, TTL);
    await ok(principal().post(`/v1/records/${id}/verdict`, { verdict: 'reject', completionId }));
    await past();
    expect((await read(id))['status']).toBe('FAILED');
  });
});
