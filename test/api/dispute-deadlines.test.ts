import { beforeAll, describe, expect, it } from 'vitest';
import { TOKENS } from '../../config/tokens.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../domain/verification/formats/verify-audit-export.ts';
import { useApi } from '../support/service/api.ts';
import { disputePath, openJudged, signalsOf } from '../support/stories/disputes.ts';
import { expectProblem } from '../support/stories/problems.ts';
import {
  AUTO_TYPE,
  chainOf,
  deliver,
  entryTypes,
  JOB_TYPE,
  ok,
  openDecided,
  openDelivered,
  openJob,
  sleep,
  type Body,
} from '../support/service/world.ts';

const api = useApi({ DISPUTE_TIER2_SECONDS: '4', DISPUTE_TIER3_SECONDS: '1' });
const principal = () => api.world.principal.client;
const performer = () => api.world.performer.client;
const past = () => sleep(3_150);
const read = (id: unknown): Promise<Body> => ok(principal().get(`/v1/records/${String(id)}`));
const dispute = (id: unknown): Promise<Body> => ok(principal().get(disputePath(id)));
const recommendations = async (id: unknown) =>
  (await signalsOf(principal(), id)).map(({ recommendation }) => recommendation as string);
const resolvedEntry = async (id: unknown): Promise<Body> =>
  (await chainOf(principal(), id)).find(({ entryType }) => entryType === 'DISPUTE_RESOLVED')![
    'statement'
  ].predicate as Body;

beforeAll(async () => {
  const SHORT = { evidenceWindowSeconds: 3 };
  const ASKING =
    "dispute == null ? evidence.score >= criteria.threshold : (evidence.score >= criteria.threshold || dispute.evidence.exists(e, e.side == 'performer' && e.content.score >= criteria.threshold)) && !dispute.evidence.exists(e, e.side == 'principal' && e.content.forged == true)";
  for (const type of [
    { ...JOB_TYPE, ...SHORT, type: 'short' },
    { ...JOB_TYPE, ...SHORT, type: 'lapsing', verdictWindowSeconds: 2, defaultTtlSeconds: 3 },
    {
      ...AUTO_TYPE,
      ...SHORT,
      type: 'auto-short',
      gates: [{ ...AUTO_TYPE.gates[0], expression: ASKING }],
    },
    {
      ...AUTO_TYPE,
      ...SHORT,
      type: 'auto-error',
      gates: [
        {
          ...AUTO_TYPE.gates[0],
          expression:
            'evidence.score >= criteria.threshold && (dispute == null || dispute.evidence[0].content.missing == 1)',
        },
      ],
    },
  ])
    await ok(api.world.admin.post('/v1/schemas', type));
});

// Each on a record of its own, so that they wait for their deadlines together.
describe.concurrent('the end of the evidence window, in auto mode', () => {
  it.each<[string, number, Body | null, string, string, string[]]>([
    [
      'evidence that the gates take overturns the failure',
      1,
      { score: 9 },
      'OVERTURNED',
      'REMEDIATED',
      ['HOLD', 'HOLD', 'SETTLE'],
    ],
    ['without any the failure stands', 1, null, 'UPHELD', 'FAILED', ['HOLD', 'HOLD', 'RELEASE']],
    [
      'evidence against it overturns the success',
      9,
      { forged: true },
      'OVERTURNED',
      'FAILED',
      ['SETTLE', 'HOLD', 'RELEASE'],
    ],
    [
      'without any the success stands',
      9,
      null,
      'UPHELD',
      'FULFILLED',
      ['SETTLE', 'HOLD', 'SETTLE'],
    ],
  ])('has the gates judge again: %s', async (_what, score, evidence, outcome, status, signals) => {
    const id = await openJudged(api.world, 'auto-short', score);
    const before = await read(id);
    const loser = score < 5 ? performer() : principal();
    await ok(loser.post(disputePath(id)));
    if (evidence) await ok(loser.post(disputePath(id, 'evidence'), { evidence }));
    await past();
    expect(await dispute(id)).toMatchObject({
      phase: 'RESOLVED',
      tier: 1,
      outcome,
      resolvedBy: { kind: 'system' },
      recordStatus: status,
    });
    expect(await read(id)).toMatchObject({ status, disputed: false });
    expect(await recommendations(id)).toEqual(signals);
    const completion = await ok(
      principal().get(`/v1/records/${id}/completions/${String(before['latestCompletionId'])}`),
    );
    expect(completion['gate'].state).toBe(score < 5 ? 'FAILED' : 'PASSED');
    const passes = (outcome === 'OVERTURNED') !== score >= 5;
    expect(await resolvedEntry(id)).toMatchObject({
      actor: { kind: 'system' },
      gate: {
        state: passes ? 'PASSED' : 'FAILED',
        now: completion['submittedAt'],
        results: [{ gateId: 'score', outcome: passes ? 'pass' : 'fail' }],
      },
    });
  });

  it('goes up a tier where a gate cannot run', async () => {
    const id = await openJudged(api.world, 'auto-error', 9);
    await ok(principal().post(disputePath(id)));
    await past();
    const { phase, outcome } = await dispute(id);
    expect(phase).not.toBe('EVIDENCE_WINDOW');
    expect(outcome).toBeNull();
    expect(await entryTypes(principal(), id)).toContain('DISPUTE_ESCALATED');
  });
});

describe.concurrent('a phase that ends by time', () => {
  it('starts the next one at its deadline, and the last one upholds the outcome', async () => {
    const { id } = await openDecided(api.world, 'accept', { type: 'short' });
    const opened = await ok(principal().post(disputePath(id)));
    await sleep(8_400);
    expect(await dispute(id)).toMatchObject({
      phase: 'RESOLVED',
      tier: 3,
      outcome: 'UPHELD',
      resolvedBy: { kind: 'system' },
      recordStatus: 'FULFILLED',
    });
    const escalated = (await chainOf(principal(), id))
      .filter(({ entryType }) => entryType === 'DISPUTE_ESCALATED')
      .map((entry) => entry['statement'].predicate as Body);
    expect(escalated.map((entry) => [entry['actor'].kind, entry['dispute'].phase])).toEqual([
      ['system', 'TIER_2_REVIEW'],
      ['system', 'TIER_3_ARBITRATION'],
    ]);
    expect(
      escalated.map(
        (entry) => Date.parse(entry['dispute'].deadline) - Date.parse(opened['evidenceDeadline']),
      ),
    ).toEqual([4000, 5000]);
    expect(await recommendations(id)).toEqual(['SETTLE', 'HOLD', 'SETTLE']);
  });

  it('binds whoever comes after it, also before any worker looked', async () => {
    const { id } = await openDecided(api.world, 'accept', { type: 'short' });
    await ok(principal().post(disputePath(id)));
    await past();
    const { phase } = await ok(
      performer().post(disputePath(id, 'evidence'), { evidence: { late: true } }),
    );
    expect(phase).toBe('TIER_2_REVIEW');
  });

  it('has taken effect in what the list shows', async () => {
    const { id } = await openDecided(api.world, 'accept', { type: 'short' });
    await ok(principal().post(disputePath(id)));
    await past();
    const { data } = await ok(principal().get(`/v1/disputes?recordId=${id}`));
    expect((data as Body[]).map(({ phase }) => phase as string)).toEqual(['TIER_2_REVIEW']);
  });

  it('is found by the job where nobody looks', async () => {
    const { id } = await openDecided(api.world, 'accept', { type: 'short' });
    const { id: disputeId } = await ok(principal().post(disputePath(id)));
    const reads = api.service.container.get(TOKENS.disputeReads);
    for (
      let tries = 0;
      tries < 60 && (await reads.head(String(disputeId)))?.phase === 'EVIDENCE_WINDOW';
      tries++
    )
      await sleep(100);
    expect((await reads.head(String(disputeId)))?.tier).toBeGreaterThan(1);
  });

  it('against a resolution at the same time: one wins', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push(await openJudged(api.world, 'auto-short', 9));
    const deadlines = await Promise.all(
      ids.map(async (id) =>
        Date.parse((await ok(principal().post(disputePath(id))))['evidenceDeadline']),
      ),
    );
    await Promise.all(
      ids.map(async (id, index) => {
        await sleep(deadlines[index]! - Date.now() - 10 + index * 7);
        const [conceded] = await Promise.all([
          performer().post(disputePath(id, 'resolve'), {
            outcome: 'OVERTURNED',
            resolution: 'Conceded.',
          }),
          read(id),
        ]);
        expect([200, 422]).toContain(conceded.status);
        await sleep(100);
        const after = await dispute(id);
        expect(after['resolvedBy'].kind).toBe(conceded.status === 200 ? 'agent' : 'system');
        expect(
          (await entryTypes(principal(), id)).filter((type) => type === 'DISPUTE_RESOLVED'),
        ).toHaveLength(1);
      }),
    );
  });
});

describe.concurrent('a record that expired', () => {
  it('with a completion is disputed by the performer, and overturned in its favour', async () => {
    const { id } = await openDelivered(api.world, { type: 'lapsing' });
    await sleep(3_200);
    expect((await read(id))['status']).toBe('EXPIRED');
    expect(await recommendations(id)).toEqual(['HOLD']);
    expectProblem(await principal().post(disputePath(id)), 403, 'FORBIDDEN', {
      allowedActors: ['performer'],
    });
    await ok(performer().post(disputePath(id)));
    expect(
      await ok(
        principal().post(disputePath(id, 'resolve'), {
          outcome: 'OVERTURNED',
          resolution: 'We were late.',
        }),
      ),
    ).toMatchObject({ recordStatus: 'REMEDIATED' });
    expect(await recommendations(id)).toEqual(['HOLD', 'HOLD', 'SETTLE']);
  });

  it("without a completion is nobody's to dispute", async () => {
    const { id } = await openJob(api.world, { ttlSeconds: 3 });
    await past();
    expectProblem(await performer().post(disputePath(id)), 422, 'UNPROCESSABLE_STATE', {
      currentStatus: 'EXPIRED',
    });
    expect(await recommendations(id)).toEqual(['RELEASE']);
  });
});

describe.concurrent('the audit export of a disputed record', () => {
  const verified = async (id: unknown) =>
    verifyAuditExport(
      JSON.stringify(
        await ok(principal().get(`/v1/records/${String(id)}/audit-export?evidence=true`)),
      ),
      { trust: trustOf({ kind: 'fingerprint', sha256Hex: api.fingerprint }) },
    );

  it('verifies offline after every step of the dispute', async () => {
    const { id } = await openDecided(api.world, 'reject');
    for (const [client, step, body] of [
      [performer(), '', {}],
      [principal(), 'evidence', { evidence: { n: 1 } }],
      [performer(), 'escalate', {}],
      [api.world.platform, 'resolve', { outcome: 'OVERTURNED', resolution: 'r' }],
    ] as const) {
      await ok(client.post(disputePath(id, step), body));
      const report = await verified(id);
      expect(report.verdict, JSON.stringify(report)).toBe('valid');
    }
  });

  it('verifies offline where the gates and the deadlines decided', async () => {
    const id = await openJudged(api.world, 'auto-short', 1);
    await ok(performer().post(disputePath(id), { evidence: { score: 9 } }));
    await past();
    expect((await read(id))['status']).toBe('REMEDIATED');
    expect((await verified(id)).verdict).toBe('valid');
  });
});

describe('a child that is overturned', () => {
  it('counts for the open parent as it is then', async () => {
    await ok(
      api.world.admin.post('/v1/schemas', {
        ...JOB_TYPE,
        type: 'whole',
        cascade: { rule: 'all-fulfilled' },
      }),
    );
    const parent = await openJob(api.world, { type: 'whole' });
    const child = await ok(
      performer().post('/v1/records', {
        type: 'job',
        criteria: { goal: 'g', threshold: 5 },
        parentRecordId: parent['id'],
        autoActivate: true,
      }),
    );
    const completion = await ok(
      performer().post(`/v1/records/${String(child['id'])}/completions`, {
        evidence: { score: 9 },
      }),
    );
    await ok(
      performer().post(`/v1/records/${String(child['id'])}/verdict`, {
        verdict: 'reject',
        completionId: completion['id'],
      }),
    );
    await ok(performer().post(disputePath(child['id'])));
    await ok(
      api.world.platform.post(disputePath(child['id'], 'resolve'), {
        outcome: 'OVERTURNED',
        resolution: 'r',
      }),
    );
    const verifications = (await chainOf(principal(), parent['id']))
      .filter(({ entryType }) => entryType === 'CASCADE_VERIFIED')
      .map((entry) => entry['statement'].predicate.children[0].status as string);
    expect(verifications).toEqual(['FAILED', 'REMEDIATED']);
    await deliver(api.world, parent['id']);
  });
});
