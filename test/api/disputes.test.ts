import { beforeAll, describe, expect, it } from 'vitest';
import { hashJson } from '../../domain/kernel/digest.ts';
import { useApi } from '../support/service/api.ts';
import {
  createTwoOrgs,
  decidedBetween,
  disputePath,
  openDisputed,
  signalsOf,
  type TwoOrgs,
} from '../support/stories/disputes.ts';
import { expectProblem, NOBODY } from '../support/stories/problems.ts';
import {
  addAgent,
  chainOf,
  entryTypes,
  JOB_TYPE,
  mintKey,
  NOTE_TYPE,
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
let two: TwoOrgs;

beforeAll(async () => {
  two = await createTwoOrgs(api.world, 'Beta');
  await ok(api.world.admin.post('/v1/schemas', { ...JOB_TYPE, type: 'twice', maxDisputes: 2 }));
  await ok(
    api.world.admin.post('/v1/schemas', {
      ...JOB_TYPE,
      type: 'no-window',
      disputeWindowSeconds: 1,
    }),
  );
});

const read = (id: unknown): Promise<Body> => ok(principal().get(`/v1/records/${String(id)}`));
const open = (client: Client, id: unknown, body?: Body) => client.post(disputePath(id), body);
const resolve = (client: Client, id: unknown, outcome: 'UPHELD' | 'OVERTURNED' = 'OVERTURNED') =>
  client.post(disputePath(id, 'resolve'), { outcome, resolution: 'Because.' });
const escalate = (client: Client, id: unknown, body?: Body) =>
  client.post(disputePath(id, 'escalate'), body);
const withdraw = (client: Client, id: unknown) => client.post(disputePath(id, 'withdraw'));
const submit = (client: Client, id: unknown, evidence: Body = { note: 'n' }) =>
  client.post(disputePath(id, 'evidence'), { evidence });
const recommendations = async (id: unknown) =>
  (await signalsOf(principal(), id)).map(({ recommendation }) => recommendation as string);

describe('opening a dispute', () => {
  it('answers 201 with the dispute, whole, and where it is', async () => {
    const { id } = await openDecided(api.world, 'accept');
    const answer = await open(principal(), id, {
      grounds: 'WRONG',
      statement: 'It is wrong.',
      evidence: { url: 'urn:x' },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/v1/disputes/${answer.body['id']}`);
    expect(answer.body).toMatchObject({
      recordId: id,
      phase: 'EVIDENCE_WINDOW',
      tier: 1,
      initiatorRole: 'principal',
      side: 'principal',
      grounds: 'WRONG',
      statement: 'It is wrong.',
      outcome: null,
      resolution: null,
      resolvedBy: null,
      resolvedAt: null,
      recordStatus: 'FULFILLED',
      signedStatement: { chainKey: id, entryType: 'DISPUTE_OPENED' },
      initiatedBy: { kind: 'agent', agentId: api.world.principal.id },
      evidence: [
        {
          side: 'principal',
          content: { url: 'urn:x' },
          submittedBy: { kind: 'agent', agentId: api.world.principal.id },
        },
      ],
      nextActions: [
        'submit-dispute-evidence',
        'escalate-dispute',
        'resolve-dispute',
        'withdraw-dispute',
      ],
    });
    expect(Date.parse(answer.body['evidenceDeadline']) - Date.parse(answer.body['openedAt'])).toBe(
      259_200_000,
    );
    const { signedStatement: _own, ...opened } = answer.body;
    expect(await ok(principal().get(String(answer.headers.get('location'))))).toMatchObject(opened);
    expect(await ok(principal().get(disputePath(id)))).toMatchObject(opened);
    expect(await read(id)).toMatchObject({
      status: 'FULFILLED',
      disputed: true,
      openDisputeId: answer.body['id'],
      disputeCount: 1,
    });
  });

  it('takes no member: the grounds are OTHER', async () => {
    const { dispute } = await openDisputed(api.world);
    expect(dispute).toMatchObject({ grounds: 'OTHER', statement: null, evidence: [] });
  });

  it('seals what was said as a hash, and holds the settlement', async () => {
    const { id, dispute } = await openDisputed(
      api.world,
      {},
      { statement: 'secret words', evidence: { note: 'secret note' } },
    );
    const chain = await chainOf(principal(), id);
    const sealed = chain.find(({ entryType }) => entryType === 'DISPUTE_OPENED')!['statement']
      .predicate;
    expect(sealed).toMatchObject({
      transition: { action: 'open-dispute', from: 'FULFILLED', to: 'FULFILLED' },
      dispute: {
        id: dispute['id'],
        phase: 'EVIDENCE_WINDOW',
        tier: 1,
        side: 'principal',
        outcome: null,
        deadline: dispute['evidenceDeadline'],
      },
    });
    expect(JSON.stringify(chain)).not.toContain('secret');
    const signals = await signalsOf(principal(), id);
    expect(signals.map(({ recommendation }) => recommendation)).toEqual(['SETTLE', 'HOLD']);
    expect(signals[1]).toMatchObject({
      supersedes: signals[0]!['signalId'],
      disputeId: dispute['id'],
      outcome: 'FULFILLED',
    });
  });

  it.each<[string, () => Promise<string>, () => Client, string]>([
    [
      'FULFILLED: the principal',
      async () => decidedBetween(two, 'accept'),
      () => two.principal.client,
      'principal',
    ],
    [
      "FULFILLED: an admin of the principal's org",
      async () => decidedBetween(two, 'accept'),
      () => two.principalAdmin,
      'admin',
    ],
    [
      'FULFILLED: platform',
      async () => decidedBetween(two, 'accept'),
      () => api.world.platform,
      'platform',
    ],
    [
      'FAILED: the performer',
      async () => decidedBetween(two, 'reject'),
      () => two.performer.client,
      'performer',
    ],
    [
      "FAILED: an admin of the performer's org",
      async () => decidedBetween(two, 'reject'),
      () => two.performerAdmin,
      'admin',
    ],
  ])('is for the losing side. %s', async (_who, prepare, client, role) => {
    const { status, body } = await open(client(), await prepare());
    expect([status, body['initiatorRole']]).toEqual([201, role]);
  });

  it('is for the performer where the principal cancelled with a completion submitted', async () => {
    const { id } = await openDelivered(api.world);
    await ok(principal().post(`/v1/records/${id}/cancel`, {}));
    expect(await recommendations(id)).toEqual(['HOLD']);
    expectProblem(await open(principal(), id), 403, 'FORBIDDEN', {
      allowedActors: ['performer'],
      attemptedAction: 'open-dispute',
    });
    expect((await open(performer(), id)).body).toMatchObject({
      side: 'performer',
      recordStatus: 'CANCELLED',
    });
  });

  it.each<[string, 'accept' | 'reject', () => Client, string]>([
    ['the performer of a FULFILLED one', 'accept', () => two.performer.client, 'principal'],
    [
      "an admin of the performer's org of a FULFILLED one",
      'accept',
      () => two.performerAdmin,
      'principal',
    ],
    ['the principal of a FAILED one', 'reject', () => two.principal.client, 'performer'],
    [
      "an admin of the principal's org of a FAILED one",
      'reject',
      () => two.principalAdmin,
      'performer',
    ],
  ])('is refused to %s with 403 and allowedActors', async (_who, verdict, client, allowed) => {
    expectProblem(await open(client(), await decidedBetween(two, verdict)), 403, 'FORBIDDEN', {
      allowedActors: [allowed],
    });
  });

  it('answers whoever may not read the record as if there were none', async () => {
    const { id } = await openDisputed(api.world);
    const stranger = (
      await addAgent(
        two.performerAdmin,
        String((await ok(two.performerAdmin.get('/v1/auth/me')))['orgId']),
        'stranger',
      )
    ).client;
    for (const answer of [
      await open(stranger, id),
      await submit(stranger, id),
      await escalate(stranger, id),
      await resolve(stranger, id),
      await withdraw(stranger, id),
      await stranger.get(disputePath(id)),
      await open(principal(), NOBODY),
    ])
      expectProblem(answer, 404, 'NOT_FOUND', { detail: 'There is no such record.' });
    const { openDisputeId } = await read(id);
    const missing = await stranger.get(`/v1/disputes/${NOBODY}`);
    const hidden = await stranger.get(`/v1/disputes/${openDisputeId}`);
    expectProblem(missing, 404, 'NOT_FOUND', { detail: 'There is no such dispute.' });
    expectProblem(hidden, 404, 'NOT_FOUND', { detail: 'There is no such dispute.' });
  });

  const WHEN = [
    'FULFILLED',
    'FAILED',
    'EXPIRED with a completion submitted',
    'CANCELLED by the principal with a completion submitted',
  ];

  it.each<[string, () => Promise<unknown>, string]>([
    [
      'a draft',
      async () =>
        (
          await ok(
            principal().post('/v1/records', { type: 'job', criteria: { goal: 'g', threshold: 5 } }),
          )
        )['id'],
      'CREATED',
    ],
    ['a proposal', async () => (await proposeJob(api.world))['id'], 'PROPOSED'],
    ['work under way', async () => (await openJob(api.world))['id'], 'ACTIVE'],
    [
      'a completion that awaits its verdict',
      async () => (await openDelivered(api.world)).id,
      'ACTIVE',
    ],
    [
      'a notarized action',
      async () =>
        (await ok(principal().post('/v1/records', { type: NOTE_TYPE.type, criteria: {} })))['id'],
      'RECORDED',
    ],
    [
      'work that was called off before any was delivered',
      async () => {
        const { id } = await openJob(api.world);
        await ok(principal().post(`/v1/records/${String(id)}/cancel`, {}));
        return id;
      },
      'CANCELLED',
    ],
  ])('is refused on %s, with currentStatus and disputeableWhen', async (_what, prepare, status) => {
    expectProblem(await open(principal(), await prepare()), 422, 'UNPROCESSABLE_STATE', {
      currentStatus: status,
      currentState: status,
      disputeableWhen: WHEN,
      attemptedTransition: 'open-dispute',
    });
  });

  it('is refused once the window is over, saying when that was', async () => {
    const { id } = await openDecided(api.world, 'reject', { type: 'no-window' });
    expect((await read(id))['nextActions']).toEqual(['render-verdict', 'open-dispute']);
    await new Promise((resume) => setTimeout(resume, 1150));
    const ended = new Date(Date.parse((await read(id))['terminalAt']) + 1000).toISOString();
    const answer = await open(performer(), id);
    expectProblem(answer, 422, 'UNPROCESSABLE_STATE', {
      currentStatus: 'FAILED',
      disputeableWhen: WHEN.map((status) => `${status}, before ${ended}`),
      allowedActions: ['view', 'export-audit', 'render-verdict'],
    });
    expect(answer.body['detail']).toContain(ended);
    expect((await read(id))['nextActions']).toEqual(['render-verdict']);
    const signals = await signalsOf(principal(), id);
    expect(signals.map(({ recommendation }) => recommendation)).toEqual(['HOLD', 'RELEASE']);
    expect(signals[1]).toMatchObject({ supersedes: signals[0]!['signalId'] });
  });

  it('is refused while one is open, and when there have been as many as the type allows, withdrawn ones included', async () => {
    const { id, dispute } = await openDisputed(api.world);
    expectProblem(await open(principal(), id), 422, 'UNPROCESSABLE_STATE', {
      reason: 'record_disputed',
      disputeCount: 1,
      maxDisputes: 1,
      openDisputeId: dispute['id'],
    });
    await ok(withdraw(principal(), id));
    expectProblem(await open(principal(), id), 422, 'UNPROCESSABLE_STATE', {
      disputeCount: 1,
      maxDisputes: 1,
      openDisputeId: null,
    });
  });

  it('is withdrawn by an empty object or by nothing; a refusal says that nothing is taken', async () => {
    const { id } = await openDisputed(api.world);
    for (const body of ['null', '[]', '{"reason":"over"}'])
      expectProblem(
        await principal().post(disputePath(id, 'withdraw'), body),
        400,
        'VALIDATION_ERROR',
        { requiredFields: [], optionalFields: [], examplePayload: {} },
      );
    await ok(principal().post(disputePath(id, 'withdraw'), {}));
  });

  it('goes a second time where the type allows two', async () => {
    const { id } = await openDisputed(api.world, { type: 'twice' });
    await ok(withdraw(principal(), id));
    const second = await ok(open(principal(), id));
    expect(await ok(principal().get(disputePath(id)))).toMatchObject({ id: second['id'] });
    expect((await read(id))['disputeCount']).toBe(2);
  });

  it('at once from two callers opens one', async () => {
    const { id } = await openDecided(api.world, 'accept');
    const answers = await Promise.all([
      open(principal(), id),
      open(api.world.admin, id),
      open(api.world.platform, id),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    expect(
      (await entryTypes(principal(), id)).filter((type) => type === 'DISPUTE_OPENED'),
    ).toHaveLength(1);
  });

  it('names a member that it does not know, and refuses a JWE in a type that works in the clear', async () => {
    const { id } = await openDecided(api.world, 'accept');
    expectProblem(await open(principal(), id, { ground: 'x' }), 400, 'VALIDATION_ERROR');
    expectProblem(
      await open(principal(), id, {
        evidence: { protected: 'e30', iv: 'AA', ciphertext: 'AA', tag: 'AA', recipients: [{}] },
      }),
      422,
      'SCHEMA_VALIDATION_ERROR',
    );
    expect((await read(id))['disputed']).toBe(false);
  });
});

describe('while a dispute is open', () => {
  it('nothing else moves the record', async () => {
    const { id, completionId } = await openDecided(api.world, 'reject');
    const { id: openDisputeId } = await ok(open(performer(), id));
    const expected = { reason: 'record_disputed', openDisputeId };
    expectProblem(
      await principal().post(`/v1/records/${id}/verdict`, { verdict: 'accept', completionId }),
      422,
      'UNPROCESSABLE_STATE',
      expected,
    );
    expectProblem(
      await principal().post(`/v1/records/${id}/cancel`, {}),
      422,
      'UNPROCESSABLE_STATE',
      expected,
    );
    expectProblem(
      await performer().post(`/v1/records/${id}/completions`, { evidence: { score: 1 } }),
      422,
      'UNPROCESSABLE_STATE',
      expected,
    );
    expect(
      (await principal().post(`/v1/records/${id}/references`, { kind: 'ticket', uri: 'urn:x:1' }))
        .status,
    ).toBe(201);
    expect((await submit(performer(), id)).status).toBe(200);
  });

  it('either party submits evidence, each for its side', async () => {
    const id = await decidedBetween(two, 'accept');
    await ok(open(two.principal.client, id));
    await ok(submit(two.performer.client, id, { by: 'performer' }));
    await ok(submit(two.performerAdmin, id, { by: 'admin' }));
    const { evidence, signedStatement, phase } = await ok(
      submit(api.world.platform, id, { by: 'platform' }),
    );
    expect(
      (evidence as Body[]).map(({ side, submittedBy, content }) => [
        side,
        submittedBy.kind,
        content.by,
      ]),
    ).toEqual([
      ['performer', 'agent', 'performer'],
      ['performer', 'admin', 'admin'],
      ['principal', 'platform', 'platform'],
    ]);
    expect([signedStatement.entryType, phase]).toEqual([
      'DISPUTE_EVIDENCE_SUBMITTED',
      'EVIDENCE_WINDOW',
    ]);
    const sealed = (await chainOf(principal(), id))
      .filter(({ entryType }) => entryType === 'DISPUTE_EVIDENCE_SUBMITTED')
      .map((entry) => entry['statement'].predicate.dispute as Body);
    expect(sealed.map(({ contentHash, side }) => [contentHash, side])).toEqual(
      (evidence as Body[]).map(({ content, side }) => [hashJson({ evidence: content }), side]),
    );
    expect(await recommendations(id)).toEqual(['SETTLE', 'HOLD']);
  });

  it('takes a piece of 128 KiB at most', async () => {
    const { id } = await openDisputed(api.world);
    expectProblem(
      await submit(principal(), id, { log: 'x'.repeat(128 * 1024) }),
      422,
      'VALIDATION_ERROR',
      { errors: [expect.objectContaining({ path: '/evidence', keyword: 'maxLength' })] },
    );
    expect((await submit(principal(), id, { log: 'x'.repeat(127 * 1024) })).status).toBe(200);
  });

  it('takes 32 pieces of evidence and no more', async () => {
    const { id } = await openDisputed(api.world, {}, { evidence: { n: 0 } });
    for (let n = 1; n < 32; n++) await ok(submit(principal(), id, { n }));
    expectProblem(await submit(performer(), id), 422, 'VALIDATION_ERROR');
    expect(
      ((await ok(principal().get(disputePath(id))))['evidence'] as Body[]).map(
        ({ content }) => content.n as number,
      ),
    ).toEqual([...Array(32).keys()]);
  });

  it('either party takes it up tier by tier, and no further than the third', async () => {
    const { id } = await openDisputed(api.world);
    const second = await ok(escalate(performer(), id, { reason: 'Enough.' }));
    expect(second).toMatchObject({
      phase: 'TIER_2_REVIEW',
      tier: 2,
      signedStatement: { entryType: 'DISPUTE_ESCALATED' },
    });
    expect(await ok(escalate(principal(), id))).toMatchObject({
      phase: 'TIER_3_ARBITRATION',
      tier: 3,
    });
    const refused = await escalate(principal(), id);
    expectProblem(refused, 422, 'UNPROCESSABLE_STATE', {
      currentStatus: 'FULFILLED',
      attemptedTransition: 'escalate-dispute',
    });
    expect((await read(id))['nextActions']).toEqual([
      'submit-dispute-evidence',
      'resolve-dispute',
      'withdraw-dispute',
    ]);
    const reasons = (await chainOf(principal(), id))
      .filter(({ entryType }) => entryType === 'DISPUTE_ESCALATED')
      .map((entry) => entry['statement'].predicate.reason as string | undefined);
    expect(reasons).toEqual(['Enough.', undefined]);
  });

  it('the tiers last as long as the operator says', async () => {
    const { id } = await openDisputed(api.world);
    for (const days of [7, 30]) {
      const before = Date.now();
      const { phaseDeadline } = await ok(escalate(principal(), id));
      expect(Math.abs(Date.parse(phaseDeadline) - before - days * 86_400_000)).toBeLessThan(5_000);
    }
  });

  it('guides each side to what it may do', async () => {
    const id = await decidedBetween(two, 'accept');
    await ok(open(two.principal.client, id));
    const steps = async (client: Client) =>
      ((await ok(client.get(`/v1/records/${id}`)))['nextSteps'] as Body[]).map(
        ({ action }) => action as string,
      );
    expect(await steps(two.principal.client)).toEqual([
      'view',
      'submit-dispute-evidence',
      'escalate-dispute',
      'withdraw-dispute',
      'export-audit',
    ]);
    expect(await steps(two.performer.client)).toEqual([
      'view',
      'submit-dispute-evidence',
      'escalate-dispute',
      'resolve-dispute',
      'export-audit',
    ]);
    await ok(escalate(two.performer.client, id));
    expect(await steps(two.principalAdmin)).toContain('resolve-dispute');
    const step = (
      (await ok(two.performer.client.get(disputePath(id))))['nextSteps'] as Body[]
    ).find(({ action }) => action === 'resolve-dispute')!;
    expect([step['method'], step['href']]).toEqual(['POST', disputePath(id, 'resolve')]);
  });
});

describe('resolving a dispute', () => {
  it.each<['accept' | 'reject', 'UPHELD' | 'OVERTURNED', string, string[]]>([
    ['accept', 'UPHELD', 'FULFILLED', ['SETTLE', 'HOLD', 'SETTLE']],
    ['accept', 'OVERTURNED', 'FAILED', ['SETTLE', 'HOLD', 'RELEASE']],
    ['reject', 'UPHELD', 'FAILED', ['HOLD', 'HOLD', 'RELEASE']],
    ['reject', 'OVERTURNED', 'REMEDIATED', ['HOLD', 'HOLD', 'SETTLE']],
  ])('%sed and %s leaves the record %s', async (verdict, outcome, status, signals) => {
    const id = await decidedBetween(two, verdict);
    const before = await read(id);
    const { id: disputeId } = await ok(
      open(verdict === 'accept' ? two.principal.client : two.performer.client, id),
    );
    const resolved = await ok(resolve(api.world.platform, id, outcome));
    expect(resolved).toMatchObject({
      phase: 'RESOLVED',
      tier: 1,
      outcome,
      resolution: 'Because.',
      resolvedBy: { kind: 'platform' },
      phaseDeadline: null,
      recordStatus: status,
      signedStatement: { entryType: 'DISPUTE_RESOLVED' },
    });
    const after = await read(id);
    expect(after).toMatchObject({
      status,
      disputed: false,
      openDisputeId: null,
      disputeCount: 1,
      latestCompletionId: before['latestCompletionId'],
    });
    expect(after['terminalAt']).toBe(
      outcome === 'UPHELD' ? before['terminalAt'] : resolved['resolvedAt'],
    );
    const emitted = await signalsOf(principal(), id);
    expect(emitted.map(({ recommendation }) => recommendation)).toEqual(signals);
    expect(emitted.map(({ supersedes }) => supersedes)).toEqual([
      undefined,
      ...emitted.slice(0, -1).map(({ signalId }) => signalId),
    ]);
    expect(emitted.map((signal) => signal['disputeId'])).toEqual([undefined, disputeId, disputeId]);
    const completion = await ok(
      principal().get(`/v1/records/${id}/completions/${String(after['latestCompletionId'])}`),
    );
    expect(completion['verdict'].verdict).toBe(verdict);
    expect(
      (await chainOf(principal(), id)).find(({ entryType }) => entryType === 'DISPUTE_RESOLVED')![
        'statement'
      ].predicate,
    ).toMatchObject({
      reason: 'Because.',
      dispute: { id: disputeId, phase: 'RESOLVED', outcome },
      transition: { action: 'resolve-dispute', to: status },
    });
  });

  it('overturns a cancellation in the favour of the performer', async () => {
    const { id } = await openDelivered(api.world);
    await ok(principal().post(`/v1/records/${id}/cancel`, {}));
    await ok(open(performer(), id));
    expect(await ok(resolve(principal(), id))).toMatchObject({ recordStatus: 'REMEDIATED' });
    expect(await recommendations(id)).toEqual(['HOLD', 'HOLD', 'SETTLE']);
  });

  it('is by conceding open to the other side in every tier, with disputes:write alone', async () => {
    for (const tiers of [0, 1, 2]) {
      const id = await decidedBetween(two, 'accept');
      await ok(open(two.principal.client, id));
      for (let n = 0; n < tiers; n++) await ok(escalate(two.principal.client, id));
      expect(
        await ok(resolve(tiers === 1 ? two.performerAdmin : two.performer.client, id)),
      ).toMatchObject({ outcome: 'OVERTURNED', tier: tiers + 1, recordStatus: 'FAILED' });
    }
  });

  it('is refused to everybody else, tier by tier, with allowedActors', async () => {
    const id = await decidedBetween(two, 'accept');
    await ok(open(two.principal.client, id));
    const refused = async (
      client: Client,
      outcome: 'UPHELD' | 'OVERTURNED',
      allowedActors: readonly string[],
    ) =>
      expectProblem(await resolve(client, id, outcome), 403, 'FORBIDDEN', {
        attemptedAction: 'resolve-dispute',
        allowedActors,
      });
    await refused(two.principal.client, 'OVERTURNED', ['performer', 'platform']);
    await refused(two.principal.client, 'UPHELD', ['platform']);
    await refused(two.performer.client, 'UPHELD', ['platform']);
    await refused(two.principalAdmin, 'UPHELD', ['platform']);
    await refused(two.principalAdmin, 'OVERTURNED', ['performer', 'platform']);
    await ok(escalate(two.principal.client, id));
    await refused(two.performer.client, 'UPHELD', ['admin', 'platform']);
    await refused(two.performerAdmin, 'UPHELD', ['admin', 'platform']);
    await refused(two.principal.client, 'OVERTURNED', ['performer', 'admin', 'platform']);
    await ok(escalate(two.principal.client, id));
    await refused(two.principalAdmin, 'UPHELD', ['platform']);
    expect(await ok(resolve(api.world.platform, id, 'UPHELD'))).toMatchObject({
      tier: 3,
      outcome: 'UPHELD',
      recordStatus: 'FULFILLED',
    });
  });

  it("is in the second tier open to an admin of the principal's org, with disputes:manage", async () => {
    const id = await decidedBetween(two, 'reject');
    await ok(open(two.performer.client, id));
    await ok(escalate(two.performer.client, id));
    const { ownerId } = await ok(two.principalAdmin.get('/v1/auth/me'));
    const lesser = (
      await mintKey(two.principalAdmin, String(ownerId), {
        role: 'admin',
        scopes: ['disputes:write'],
      })
    ).client;
    expectProblem(await resolve(lesser, id, 'UPHELD'), 403, 'INSUFFICIENT_SCOPE', {
      missingScopes: ['disputes:manage'],
    });
    expect(await ok(resolve(two.principalAdmin, id, 'UPHELD'))).toMatchObject({
      tier: 2,
      resolvedBy: { kind: 'admin' },
      recordStatus: 'FAILED',
    });
  });

  it('is never for the key that opened it, nor for its agent', async () => {
    const opened = await decidedBetween(two, 'accept');
    await ok(open(api.world.platform, opened));
    expectProblem(await resolve(api.world.platform, opened, 'UPHELD'), 403, 'FORBIDDEN', {
      allowedActors: ['platform'],
    });
    const byAdmin = await decidedBetween(two, 'accept');
    await ok(open(two.principalAdmin, byAdmin));
    await ok(escalate(two.principalAdmin, byAdmin));
    expectProblem(await resolve(two.principalAdmin, byAdmin, 'OVERTURNED'), 403, 'FORBIDDEN', {
      allowedActors: ['performer', 'admin', 'platform'],
    });
    // Both sides of this record are one agent: it would concede to itself with another of its keys.
    const { id } = await ok(
      principal().post('/v1/records', {
        type: 'job',
        criteria: { goal: 'g', threshold: 5 },
        autoActivate: true,
      }),
    );
    const completion = await ok(
      principal().post(`/v1/records/${String(id)}/completions`, { evidence: { score: 9 } }),
    );
    await ok(
      principal().post(`/v1/records/${String(id)}/verdict`, {
        verdict: 'reject',
        completionId: completion['id'],
      }),
    );
    await ok(open(principal(), id));
    const another = (await mintKey(api.world.admin, api.world.principal.id, {})).client;
    expectProblem(await resolve(another, id), 403, 'FORBIDDEN', {
      allowedActors: ['principal', 'platform'],
    });
  });

  it('and withdrawing it at once: one wins', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await openDisputed(api.world);
      const answers = await Promise.all([resolve(performer(), id), withdraw(principal(), id)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
      expect(
        (await entryTypes(principal(), id)).filter(
          (type) => type === 'DISPUTE_RESOLVED' || type === 'DISPUTE_WITHDRAWN',
        ),
      ).toHaveLength(1);
    }
  });
});

describe('withdrawing a dispute', () => {
  it.each<[string, () => Client]>([
    ['the key that opened it', () => two.principal.client],
    ['an admin of the org of its side', () => two.principalAdmin],
    ['platform', () => api.world.platform],
  ])('is open to %s', async (_who, client) => {
    const id = await decidedBetween(two, 'accept');
    await ok(open(two.principal.client, id));
    expect(await ok(withdraw(client(), id))).toMatchObject({
      phase: 'WITHDRAWN',
      outcome: null,
      resolution: null,
      recordStatus: 'FULFILLED',
      signedStatement: { entryType: 'DISPUTE_WITHDRAWN' },
    });
    expect(await recommendations(id)).toEqual(['SETTLE', 'HOLD', 'SETTLE']);
  });

  it('is refused to the other side, with allowedActors', async () => {
    const id = await decidedBetween(two, 'accept');
    await ok(open(two.principal.client, id));
    for (const client of [two.performer.client, two.performerAdmin])
      expectProblem(await withdraw(client, id), 403, 'FORBIDDEN', {
        attemptedAction: 'withdraw-dispute',
        allowedActors: ['initiator', 'admin', 'platform'],
      });
  });

  it('releases what was held, or goes on holding it while it can be disputed again', async () => {
    const once = (await openDecided(api.world, 'reject')).id;
    await ok(open(performer(), once));
    await ok(withdraw(performer(), once));
    expect(await recommendations(once)).toEqual(['HOLD', 'HOLD', 'RELEASE']);
    const twice = (await openDecided(api.world, 'reject', { type: 'twice' })).id;
    await ok(open(performer(), twice));
    await ok(withdraw(performer(), twice));
    expect(await recommendations(twice)).toEqual(['HOLD', 'HOLD', 'HOLD']);
  });
});

describe('a record without an open dispute', () => {
  it('refuses every action on one with the state and the counts', async () => {
    const never = (await openDecided(api.world, 'accept')).id;
    const { id: ended } = await openDisputed(api.world);
    await ok(resolve(performer(), ended));
    for (const [id, disputeCount, currentStatus] of [
      [never, 0, 'FULFILLED'],
      [ended, 1, 'FAILED'],
    ] as const) {
      for (const [action, answer] of [
        ['submit-dispute-evidence', await submit(principal(), id)],
        ['escalate-dispute', await escalate(principal(), id)],
        ['resolve-dispute', await resolve(performer(), id)],
        ['withdraw-dispute', await withdraw(principal(), id)],
      ] as const)
        expectProblem(answer, 422, 'UNPROCESSABLE_STATE', {
          attemptedTransition: action,
          currentStatus,
          disputeCount,
          maxDisputes: 1,
          openDisputeId: null,
        });
    }
  });

  it('has a dispute to read where there was one, else 404', async () => {
    const never = (await openDecided(api.world, 'accept')).id;
    expectProblem(await principal().get(disputePath(never)), 404, 'NOT_FOUND', {
      detail: 'There is no such dispute.',
    });
    const { id, dispute } = await openDisputed(api.world);
    await ok(withdraw(principal(), id));
    expect(await ok(performer().get(disputePath(id)))).toMatchObject({
      id: dispute['id'],
      phase: 'WITHDRAWN',
    });
  });

  it('takes no action of a dispute on /transition', async () => {
    const { id } = await openDecided(api.world, 'accept');
    expectProblem(
      await principal().post(`/v1/records/${id}/transition`, { action: 'open-dispute' }),
      422,
      'INVALID_ACTION',
      { attemptedAction: 'open-dispute', allowedActions: ['view', 'export-audit'] },
    );
  });
});

describe('the list of disputes', () => {
  it('shows what the caller may read, newest first, filtered and page by page', async () => {
    const outsiders = await createTwoOrgs(api.world, 'Gamma');
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      const id = await decidedBetween(outsiders, 'accept');
      ids.unshift(
        String((await ok(open(outsiders.principal.client, id, { evidence: { n } })))['id']),
      );
      if (n === 1) await ok(withdraw(outsiders.principal.client, id));
      if (n === 2) await ok(escalate(outsiders.principal.client, id));
    }
    const list = async (query = ''): Promise<Body> =>
      ok(outsiders.performer.client.get(`/v1/disputes${query}`));
    const all = await list();
    expect((all['data'] as Body[]).map(({ id }) => id as string)).toEqual(ids);
    expect([all['total'], all['hasMore'], all['nextCursor']]).toEqual([3, false, null]);
    expect(all['data'][0].evidence).toEqual([
      expect.not.objectContaining({ content: expect.anything() as unknown }),
    ]);
    const pick = async (query: string) =>
      ((await list(query))['data'] as Body[]).map(({ id }) => ids.indexOf(String(id)));
    expect([
      await pick('?status=open'),
      await pick('?status=ended'),
      await pick('?phase=TIER_2_REVIEW'),
      await pick('?tier=1'),
    ]).toEqual([[0, 2], [1], [0], [1, 2]]);
    expect(await pick(`?recordId=${String(all['data'][2].recordId)}`)).toEqual([2]);
    const first = await list('?limit=2');
    expect(
      (await list(`?limit=2&cursor=${encodeURIComponent(String(first['nextCursor']))}`))[
        'data'
      ].map(({ id }: Body) => id as string),
    ).toEqual([ids[2]]);
    expectProblem(
      await outsiders.performer.client.get('/v1/disputes?phases=RESOLVED'),
      400,
      'VALIDATION_ERROR',
    );
  });
});
