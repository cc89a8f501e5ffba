import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { ok, type Body, type Client } from '../support/world.ts';

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
  await ok(client.call(step!.method, step!.href, step!.method === 'GET' ? undefined : BODIES[step!.action]?.(record)));
};

describe('two clients that do the first next step', () => {
  const ways: readonly [string, () => Promise<Body>][] = [
    ['a proposal of the principal', () => ok(api.world.principal.client.post('/v1/records', { type: 'job', criteria: { goal: 'g', threshold: 1 }, performerAgentId: api.world.performer.id }))],
    ['a proposal of the performer', () => ok(api.world.performer.client.post('/v1/records', { type: 'job', criteria: { goal: 'g', threshold: 1 }, performerAgentId: api.world.performer.id, principalAgentId: api.world.principal.id }))],
    ['a record that starts at once', () => ok(api.world.principal.client.post('/v1/records', { type: 'job', criteria: { goal: 'g', threshold: 1 }, performerAgentId: api.world.performer.id, autoActivate: true }))],
    ['a draft', () => ok(api.world.principal.client.post('/v1/records', { type: 'job', criteria: { goal: 'g', threshold: 1 } }))],
    ['a type whose gates decide', () => ok(api.world.principal.client.post('/v1/records', { type: 'auto-job', criteria: { goal: 'g', threshold: 1 }, performerAgentId: api.world.performer.id }))],
  ];

  it.each(ways)('end %s FULFILLED', async (_way, open) => {
    const { id } = await open();
    for (let round = 0; round < 8; round++) {
      const { status, performerAgentId } = await ok(api.world.platform.get(`/v1/records/${id}`));
      if (status === 'FULFILLED') return;
      await firstStep(api.world.principal.client, id);
      if (performerAgentId === api.world.performer.id) await firstStep(api.world.performer.client, id);
    }
    expect.fail('the record did not end');
  });
});
