import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem, HEX_256, NOBODY, TIMESTAMP, UUID } from '../support/stories/problems.ts';
import {
  addAgent,
  deliver,
  entryTypes,
  GOAL,
  mintKey,
  ok,
  openDecided,
  openDelivered,
  openJob,
  proposeJob,
  type Body,
} from '../support/service/world.ts';

const api = useApi();
const performer = () => api.world.performer.client;
const principal = () => api.world.principal.client;
const submit = (id: unknown, body: unknown = { evidence: { score: 9 } }, client = performer()) =>
  client.post(`/v1/records/${String(id)}/completions`, body);
const openAuto = async (criteria: Body = GOAL): Promise<unknown> =>
  (await openJob(api.world, { type: 'auto-job', criteria }))['id'];

describe('a submission in principal mode', () => {
  it('201: the completion with its hash, its checks, its signed statement and guidance', async () => {
    const { id } = await openJob(api.world);
    const evidence = { score: 9, log: 'ünïcode \u2028' };
    const { status, body, headers } = await submit(id, { evidence });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/v1/records/${id}/completions/${body['id']}`);
    expect(body).toMatchObject({
      id: expect.stringMatching(UUID),
      recordId: id,
      revision: 1,
      evidence,
      evidenceHash: createHash('sha256').update(canonicalize(evidence)!).digest('hex'),
      submittedBy: { kind: 'agent', agentId: api.world.performer.id },
      submittedAt: expect.stringMatching(TIMESTAMP),
      structural: { valid: true, errors: [] },
      verdict: null,
      references: [],
      signedStatement: { position: 2, entryType: 'COMPLETION_SUBMITTED', chainKey: id },
    });
    expect(Object.keys(body)).toEqual(
      expect.arrayContaining([
        'nextActions',
        'validTransitions',
        'suggestion',
        'hint',
        'nextSteps',
      ]),
    );
    expect(body['gate']).toMatchObject({
      state: 'ADVISORY_PASSED',
      results: [
        {
          gateId: 'score',
          description: 'The score reaches the threshold',
          outcome: 'pass',
          severity: 'block',
          expression: 'evidence.score >= criteria.threshold',
          inputsDigest: expect.stringMatching(HEX_256),
        },
      ],
    });
    expect(body['gate'].results[0]).toHaveProperty('detail');
    expect(await ok(principal().get(`/v1/records/${id}`))).toMatchObject({
      status: 'ACTIVE',
      awaiting: 'principal',
      latestCompletionId: body['id'],
    });
  });

  it('the completion is read as it was answered, by both sides', async () => {
    const { id } = await openJob(api.world);
    const completion = await deliver(api.world, id);
    for (const client of [performer(), principal(), api.world.admin, api.world.platform]) {
      const read = await ok(client.get(`/v1/records/${id}/completions/${completion['id']}`));
      for (const member of [
        'id',
        'recordId',
        'revision',
        'evidence',
        'evidenceHash',
        'submittedBy',
        'submittedAt',
        'structural',
        'gate',
        'verdict',
        'references',
      ])
        expect({ member, value: read[member] }).toEqual({ member, value: completion[member] });
    }
  });

  it('a failing gate only advises', async () => {
    const { id } = await openJob(api.world);
    expect((await deliver(api.world, id, { score: 1 }))['gate']).toMatchObject({
      state: 'ADVISORY_FAILED',
      results: [{ outcome: 'fail' }],
    });
    expect((await ok(principal().get(`/v1/records/${id}`)))['status']).toBe('ACTIVE');
  });

  it('a gate that cannot be computed is a fail that says so, never a 500', async () => {
    const { id } = await openJob(api.world, { criteria: { goal: 'no threshold' } });
    const { gate } = await deliver(api.world, id);
    expect(gate).toMatchObject({
      state: 'ADVISORY_FAILED',
      results: [{ outcome: 'error', detail: expect.stringMatching(/.+/) }],
    });
  });
});

describe('a submission in auto mode', () => {
  it('201: passing gates end the record FULFILLED in the same call', async () => {
    const id = await openAuto();
    const { status, body } = await submit(id);
    expect(status).toBe(201);
    expect(body['gate']).toMatchObject({ state: 'PASSED', results: [{ outcome: 'pass' }] });
    expect(await ok(principal().get(`/v1/records/${String(id)}`))).toMatchObject({
      status: 'FULFILLED',
      awaiting: null,
    });
    expect(await entryTypes(principal(), id)).toEqual([
      'RECORD_CREATED',
      'COMPLETION_SUBMITTED',
      'GATE_EVALUATED',
      'SIGNAL_EMITTED',
    ]);
  });

  it('201: a failing blocking gate ends it FAILED', async () => {
    const id = await openAuto();
    expect((await submit(id, { evidence: { score: 1 } })).body['gate']).toMatchObject({
      state: 'FAILED',
      results: [{ outcome: 'fail' }],
    });
    expect((await ok(principal().get(`/v1/records/${String(id)}`)))['status']).toBe('FAILED');
  });

  it('201: a gate that cannot be computed ends it FAILED', async () => {
    const id = await openAuto({ goal: 'no threshold' });
    expect((await submit(id)).body['gate']).toMatchObject({
      state: 'FAILED',
      results: [{ outcome: 'error' }],
    });
    expect((await ok(principal().get(`/v1/records/${String(id)}`)))['status']).toBe('FAILED');
  });

  it('a failing gate of severity warn does not decide', async () => {
    await ok(
      api.world.admin.post('/v1/schemas', {
        type: 'lenient',
        completionSchema: { type: 'object', properties: { score: { type: 'integer' } } },
        gateMode: 'auto',
        gates: [
          { id: 'warn', description: 'd', expression: 'evidence.score > 100', severity: 'warn' },
          { id: 'block', description: 'd', expression: 'evidence.score > 1', severity: 'block' },
        ],
      }),
    );
    const { id } = await openJob(api.world, { type: 'lenient', criteria: {} });
    const { gate } = await deliver(api.world, id, { score: 9 });
    expect(gate).toMatchObject({
      state: 'PASSED',
      results: [
        { gateId: 'warn', outcome: 'fail', severity: 'warn' },
        { gateId: 'block', outcome: 'pass' },
      ],
    });
    expect((await ok(principal().get(`/v1/records/${id}`)))['status']).toBe('FULFILLED');
  });
});

describe('422 schema-validation-error: Phase 1', () => {
  it('names each fault by JSON Pointer, and what to send instead', async () => {
    const { id } = await openJob(api.world);
    const problem = expectProblem(
      await submit(id, { evidence: { score: -1, log: 5 } }),
      422,
      'SCHEMA_VALIDATION_ERROR',
      {
        type: '/problems/schema-validation-error',
        recordType: 'job',
        requiredFields: ['score'],
        optionalFields: ['log'],
      },
    );
    expect(problem['errors']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: expect.stringMatching(/\/score$/), keyword: 'minimum' }),
        expect.objectContaining({ path: expect.stringMatching(/\/log$/), keyword: 'type' }),
      ]),
    );
    expect((await submit(id, { evidence: problem['examplePayload'] })).status).toBe(201);
  });

  it('carries the schemaUrl', async () => {
    const { id } = await openJob(api.world);
    const { schemaUrl } = expectProblem(
      await submit(id, { evidence: {} }),
      422,
      'SCHEMA_VALIDATION_ERROR',
    );
    expect(schemaUrl).toEqual(expect.stringContaining('/v1/schemas/job'));
    expect((await performer().get(String(schemaUrl))).status).toBe(200);
  });

  it('stores nothing and chains nothing', async () => {
    const { id } = await openJob(api.world);
    await submit(id, { evidence: {} });
    expect(await ok(principal().get(`/v1/records/${id}`))).toMatchObject({
      latestCompletionId: null,
      awaiting: 'performer',
      version: 1,
    });
    expect(await entryTypes(principal(), id)).toEqual(['RECORD_CREATED']);
  });
});

describe('422 UNPROCESSABLE_STATE', () => {
  const refused = async (id: unknown, state: string): Promise<Body> => {
    const problem = expectProblem(await submit(id), 422, 'UNPROCESSABLE_STATE', {
      type: '/problems/unprocessable-state',
      currentState: state,
      attemptedTransition: 'submit-completion',
    });
    expect(Object.keys(problem)).toEqual(
      expect.arrayContaining([
        'attemptedState',
        'validTransitions',
        'allowedActions',
        'suggestion',
      ]),
    );
    return problem;
  };

  it('a second completion while the first awaits its verdict', async () => {
    const { id } = await openDelivered(api.world);
    await refused(id, 'ACTIVE');
    expect(await entryTypes(principal(), id)).toHaveLength(2);
  });

  it('a proposal', async () => {
    const { id } = await proposeJob(api.world);
    expect((await refused(id, 'PROPOSED'))['allowedActions']).toEqual(
      expect.arrayContaining(['accept', 'reject', 'cancel']),
    );
  });

  it('a FULFILLED record: view, export-audit, open-dispute', async () => {
    const { id } = await openDecided(api.world, 'accept');
    expect((await refused(id, 'FULFILLED'))['allowedActions']).toEqual([
      'view',
      'export-audit',
      'open-dispute',
    ]);
  });

  it('a RECORDED record: view, export-audit', async () => {
    const { id } = await ok(
      principal().post('/v1/records', {
        type: 'note',
        criteria: {},
        performerAgentId: api.world.performer.id,
      }),
    );
    const { allowedActions } = expectProblem(
      await submit(id, { evidence: {} }),
      422,
      'UNPROCESSABLE_STATE',
      { currentState: 'RECORDED' },
    );
    expect(allowedActions.slice(0, 2)).toEqual(['view', 'export-audit']);
  });

  it('comes before bad evidence', async () => {
    const { id } = await openDecided(api.world, 'accept');
    expectProblem(await submit(id, { evidence: {} }), 422, 'UNPROCESSABLE_STATE');
  });
});

describe('403', () => {
  it('with allowedActors: the principal does not deliver', async () => {
    const { id } = await openJob(api.world);
    const problem = expectProblem(await submit(id, undefined, principal()), 403, 'FORBIDDEN', {
      type: '/problems/forbidden',
    });
    expect(problem['allowedActors']).toContain('performer');
  });

  it('with missingScopes: a key without completions:write', async () => {
    const { id } = await openJob(api.world);
    const { client } = await mintKey(api.world.admin, api.world.performer.id, {
      scopeProfile: 'agent-readonly',
    });
    expectProblem(await submit(id, undefined, client), 403, 'INSUFFICIENT_SCOPE', {
      missingScopes: ['completions:write'],
    });
  });
});

it('an admin delivers for its agent, and the entry says admin', async () => {
  const { id } = await openJob(api.world);
  expect((await submit(id, undefined, api.world.admin)).status).toBe(201);
});

describe('404 and 400', () => {
  it('404: an unknown record, or one of strangers', async () => {
    expectProblem(await submit(NOBODY), 404, 'NOT_FOUND');
    const { id } = await openJob(api.world);
    const stranger = await addAgent(api.world.admin, api.world.orgId, 'stranger');
    expectProblem(await submit(id, undefined, stranger.client), 404, 'NOT_FOUND');
  });

  it('404: a completion that is unknown, or of another record', async () => {
    const one = await openDelivered(api.world);
    const other = await openDelivered(api.world);
    expectProblem(
      await principal().get(`/v1/records/${one.id}/completions/${NOBODY}`),
      404,
      'NOT_FOUND',
    );
    expectProblem(
      await principal().get(`/v1/records/${one.id}/completions/${other.completionId}`),
      404,
      'NOT_FOUND',
    );
    expectProblem(
      await principal().get(`/v1/records/${one.id}/completions/x`),
      400,
      'VALIDATION_ERROR',
    );
  });

  it.each<[string, unknown]>([
    ['no evidence', {}],
    ['evidence that is a list', { evidence: [] }],
    ['evidence that is null', { evidence: null }],
    ['an unknown member', { evidence: { score: 1 }, evidense: 1 }],
    ['a list', []],
    ['no body', undefined],
  ])('400: %s', async (_case, body) => {
    const { id } = await openJob(api.world);
    if (body === undefined)
      expectProblem(
        await performer().post(`/v1/records/${id}/completions`),
        400,
        'VALIDATION_ERROR',
      );
    else expectProblem(await submit(id, body), 400, 'VALIDATION_ERROR');
  });
});

it('two submissions at once: exactly one is taken, and the chain holds one entry for it', async () => {
  const { id } = await openJob(api.world);
  const statuses = (
    await Promise.all(Array.from({ length: 6 }, (_, score) => submit(id, { evidence: { score } })))
  )
    .map((answer) => answer.status)
    .sort();
  expect(statuses).toEqual([201, 422, 422, 422, 422, 422]);
  expect(await entryTypes(principal(), id)).toEqual(['RECORD_CREATED', 'COMPLETION_SUBMITTED']);
});
