import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { beforeAll, describe, expect, it } from 'vitest';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../domain/verification/formats/verify-audit-export.ts';
import { useApi } from '../support/service/api.ts';
import { expectProblem } from '../support/stories/problems.ts';
import {
  addAgent,
  draftJob,
  entryTypes,
  ok,
  proposeJob,
  type Body,
  type Client,
  type World,
} from '../support/service/world.ts';

const api = useApi();
let world: World;
beforeAll(() => {
  world = api.world;
});

const hashOf = (value: unknown): string =>
  createHash('sha256').update(canonicalize(value)!).digest('hex');
const counter = (client: Client, record: Body, criteria: Body, message?: string) =>
  client.post(`/v1/records/${record['id']}/counter-propose`, {
    criteria,
    ...(message ? { message } : {}),
  });
const other = { goal: 'less', threshold: 2 };

const verify = async (record: Body) =>
  verifyAuditExport(
    JSON.stringify(
      await ok(world.principal.client.get(`/v1/records/${record['id']}/audit-export`)),
    ),
    { trust: trustOf({ kind: 'fingerprint', sha256Hex: api.fingerprint }) },
  );

describe('propose', () => {
  it('200: offers a draft to a performer, who is awaited and may then read it', async () => {
    const draft = await draftJob(world);
    expect((await world.performer.client.get(`/v1/records/${draft['id']}`)).status).toBe(404);
    const record = await ok(
      world.principal.client.post(`/v1/records/${draft['id']}/transition`, {
        action: 'propose',
        performerAgentId: world.performer.id,
      }),
    );
    expect(record).toMatchObject({
      status: 'PROPOSED',
      awaiting: 'performer',
      performerAgentId: world.performer.id,
      signedStatement: { entryType: 'RECORD_PROPOSED', position: 2 },
    });
    expect(
      (await ok(world.performer.client.get(`/v1/records/${draft['id']}`)))['nextSteps'][0],
    ).toMatchObject({ action: 'accept', href: `/v1/records/${draft['id']}/accept` });
  });

  it('422: not to oneself, to nobody, to an agent that does not handle the type', async () => {
    const draft = await draftJob(world);
    const propose = (performerAgentId: string) =>
      world.principal.client.post(`/v1/records/${draft['id']}/transition`, {
        action: 'propose',
        performerAgentId,
      });
    expectProblem(await propose(world.principal.id), 422, 'UNPROCESSABLE_STATE');
    expectProblem(await propose('00000000-0000-7000-8000-000000000099'), 422, 'VALIDATION_ERROR');
    const able = await ok(
      world.admin.post('/v1/admin/agents', {
        name: 'narrow',
        orgId: world.orgId,
        capabilities: ['note'],
      }),
    );
    expect(
      expectProblem(await propose(String(able['id'])), 422, 'VALIDATION_ERROR')['allowedValues'],
    ).toEqual(['note']);
  });

  it('400: without a performer, or with what it does not take', async () => {
    const draft = await draftJob(world);
    const post = (body: Body) =>
      world.principal.client.post(`/v1/records/${draft['id']}/transition`, body);
    expect(
      expectProblem(await post({ action: 'propose' }), 400, 'VALIDATION_ERROR')['errors'][0],
    ).toMatchObject({ path: '/performerAgentId', keyword: 'required' });
    expect(
      expectProblem(
        await post({ action: 'propose', performerAgentId: world.performer.id, reason: 'x' }),
        400,
        'VALIDATION_ERROR',
      )['errors'][0],
    ).toMatchObject({ path: '/reason' });
    expectProblem(await post({ action: 'activate', criteria: {} }), 400, 'VALIDATION_ERROR');
  });
});

describe('counter-propose', () => {
  it('200: the other side is awaited, the counter is on the table, the record keeps its own criteria', async () => {
    const proposed = await proposeJob(world);
    const { status, body } = await counter(world.performer.client, proposed, other, 'Half of it.');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'PROPOSED',
      awaiting: 'principal',
      criteria: proposed['criteria'],
      criteriaHash: proposed['criteriaHash'],
      counterProposal: {
        criteria: other,
        criteriaHash: hashOf(other),
        message: 'Half of it.',
        proposedBy: { kind: 'agent', agentId: world.performer.id },
      },
      signedStatement: { entryType: 'COUNTER_PROPOSED' },
    });
    expect(
      (await ok(world.principal.client.get(`/v1/records/${proposed['id']}`)))['nextActions'],
    ).toEqual(['accept-counter', 'counter-propose', 'reject', 'cancel']);
    expect((await verify(proposed)).failures).toEqual([]);
  });

  it('accept-counter replaces the criteria, and the chain verifies to the end', async () => {
    const proposed = await proposeJob(world);
    await ok(counter(world.performer.client, proposed, other));
    const active = await ok(
      world.principal.client.post(`/v1/records/${proposed['id']}/accept-counter`, {
        criteriaHash: hashOf(other),
      }),
    );
    expect(active).toMatchObject({
      status: 'ACTIVE',
      criteria: other,
      criteriaHash: hashOf(other),
      counterProposal: null,
      performerAgentId: world.performer.id,
    });
    const completion = await ok(
      world.performer.client.post(`/v1/records/${proposed['id']}/completions`, {
        evidence: { score: 3 },
      }),
    );
    expect(completion['gate']['state']).toBe('ADVISORY_PASSED');
    await ok(
      world.principal.client.post(`/v1/records/${proposed['id']}/verdict`, {
        verdict: 'accept',
        completionId: completion['id'],
      }),
    );
    expect(await entryTypes(world.principal.client, String(proposed['id']))).toEqual([
      'RECORD_PROPOSED',
      'COUNTER_PROPOSED',
      'COUNTER_ACCEPTED',
      'COMPLETION_SUBMITTED',
      'VERDICT_RENDERED',
      'SIGNAL_EMITTED',
    ]);
    const report = await verify(proposed);
    expect([report.verdict, report.failures]).toEqual(['valid', []]);
  });

  it('422: accept while a counter is outstanding names what is allowed; a hash of something else is refused', async () => {
    const proposed = await proposeJob(world);
    await ok(counter(world.performer.client, proposed, other));
    const refused = expectProblem(
      await world.principal.client.post(`/v1/records/${proposed['id']}/accept`),
      422,
      'UNPROCESSABLE_STATE',
    );
    expect(refused['allowedActions']).toEqual([
      'accept-counter',
      'counter-propose',
      'reject',
      'cancel',
    ]);
    expectProblem(
      await world.principal.client.post(`/v1/records/${proposed['id']}/accept-counter`, {
        criteriaHash: proposed['criteriaHash'],
      }),
      422,
      'VALIDATION_ERROR',
    );
    const second = await proposeJob(world);
    expectProblem(
      await world.performer.client.post(`/v1/records/${second['id']}/accept-counter`),
      422,
      'UNPROCESSABLE_STATE',
    );
  });

  it('alternates, and ends after ten rounds', async () => {
    const proposed = await proposeJob(world);
    expectProblem(await counter(world.principal.client, proposed, other), 403, 'FORBIDDEN');
    for (let round = 1; round <= 10; round++) {
      const body = await ok(
        counter(round % 2 === 1 ? world.performer.client : world.principal.client, proposed, {
          goal: `round ${round}`,
        }),
      );
      expect(body['awaiting']).toBe(round % 2 === 1 ? 'principal' : 'performer');
    }
    expectProblem(
      await counter(world.performer.client, proposed, other),
      422,
      'UNPROCESSABLE_STATE',
    );
    const ended = await ok(
      world.performer.client.post(`/v1/records/${proposed['id']}/reject`, { reason: 'Enough.' }),
    );
    expect(ended).toMatchObject({
      status: 'REJECTED',
      counterProposal: { criteria: { goal: 'round 10' } },
    });
    expect((await verify(proposed)).failures).toEqual([]);
  });

  it('422: criteria that do not fit the type; 400: none', async () => {
    const proposed = await proposeJob(world);
    expect(
      expectProblem(
        await counter(world.performer.client, proposed, { threshold: 'x' }),
        422,
        'SCHEMA_VALIDATION_ERROR',
      )['requiredFields'],
    ).toEqual(['goal']);
    expectProblem(
      await world.performer.client.post(`/v1/records/${proposed['id']}/counter-propose`, {}),
      400,
      'VALIDATION_ERROR',
    );
    expect((await ok(world.performer.client.get(`/v1/records/${proposed['id']}`)))['version']).toBe(
      1,
    );
  });

  it('a performer with completions:write alone may answer; a principal needs records:write', async () => {
    const performer = await addAgent(
      world.admin,
      world.orgId,
      'narrow performer',
      'agent-performer',
    );
    const proposed = await ok(
      world.principal.client.post('/v1/records', {
        type: 'job',
        criteria: { goal: 'g', threshold: 1 },
        performerAgentId: performer.id,
      }),
    );
    expect((await counter(performer.client, proposed, other)).status).toBe(200);
    await ok(counter(world.principal.client, proposed, { goal: 'again' }));
    expect(
      (await performer.client.post(`/v1/records/${proposed['id']}/accept-counter`)).status,
    ).toBe(200);
  });

  it('the side that is not awaited cancels, with the counter on the table', async () => {
    const proposed = await proposeJob(world);
    await ok(counter(world.performer.client, proposed, other));
    expectProblem(
      await world.principal.client.post(`/v1/records/${proposed['id']}/cancel`),
      403,
      'FORBIDDEN',
    );
    expect(
      await ok(world.performer.client.post(`/v1/records/${proposed['id']}/cancel`)),
    ).toMatchObject({ status: 'CANCELLED' });
    expect((await verify(proposed)).failures).toEqual([]);
  });

  it('two answers at once: one is taken', async () => {
    const proposed = await proposeJob(world);
    const answers = await Promise.all([
      counter(world.performer.client, proposed, other),
      counter(world.performer.client, proposed, { goal: 'b' }),
      world.performer.client.post(`/v1/records/${proposed['id']}/accept`),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 403, 422]).toContain(status);
    expect((await verify(proposed)).failures).toEqual([]);
  });
});
