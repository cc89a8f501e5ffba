import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { NOBODY } from '../support/stories/problems.ts';
import {
  Client,
  mintKey,
  ok,
  openDecided,
  openDelivered,
  type Answer,
  type Body,
} from '../support/service/world.ts';

/** 401, 429, role and scope 403, body shape 400, 404, side 403, state 422, then schema and semantic 422. */
const api = useApi();
let narrow: Client;
let unknown: Client;
let ended: { id: string; completionId: string };
let delivered: { id: string; completionId: string };

beforeAll(async () => {
  narrow = (await mintKey(api.world.admin, api.world.principal.id, { scopes: ['records:read'] }))
    .client;
  unknown = new Client(api.world.url, 'svc_agt_' + 'a'.repeat(49));
  ended = await openDecided(api.world, 'accept');
  delivered = await openDelivered(api.world);
});

const BAD = '{"evidence":';
const submit = (client: Client, id: string, body: unknown): Promise<Answer<Body>> =>
  client.post(`/v1/records/${id}/completions`, body);
const codeOf = async (answer: Promise<Answer<Body>>): Promise<string> =>
  answer.then(({ status, body }) => `${status} ${String(body['code'])}`);

describe('each refusal comes before the next', () => {
  it('401 before scope, shape, and whether the record is there', async () => {
    expect(await codeOf(submit(unknown, NOBODY, BAD))).toBe('401 UNAUTHORIZED');
    expect(await codeOf(submit(unknown, 'x', BAD))).toBe('401 UNAUTHORIZED');
    expect(
      await codeOf(unknown.call('POST', '/v1/records', 'x', { 'content-type': 'text/plain' })),
    ).toBe('401 UNAUTHORIZED');
  });

  it('scope 403 before shape 400', async () => {
    expect(await codeOf(submit(narrow, ended.id, BAD))).toBe('403 INSUFFICIENT_SCOPE');
    expect(await codeOf(submit(narrow, 'x', {}))).toBe('403 INSUFFICIENT_SCOPE');
    expect(await codeOf(narrow.get('/v1/admin/agents?limit=0'))).toBe('403 INSUFFICIENT_SCOPE');
  });

  it('role 403 before shape 400', async () => {
    expect(await codeOf(api.world.admin.post('/v1/admin/orgs', {}))).toBe('403 FORBIDDEN');
  });

  it('scope 403 before 404', async () => {
    expect(await codeOf(submit(narrow, NOBODY, { evidence: {} }))).toBe('403 INSUFFICIENT_SCOPE');
  });

  it('shape 400 before 404', async () => {
    expect(await codeOf(submit(api.world.performer.client, NOBODY, {}))).toBe(
      '400 VALIDATION_ERROR',
    );
    expect(
      await codeOf(
        api.world.principal.client.post(`/v1/records/${NOBODY}/verdict`, { verdict: 'maybe' }),
      ),
    ).toBe('400 VALIDATION_ERROR');
    expect(
      await codeOf(
        api.world.principal.client.get(`/v1/records/${NOBODY}/audit-export?evidence=maybe`),
      ),
    ).toBe('400 VALIDATION_ERROR');
  });

  it('shape 400 before the side 403 and the state 422', async () => {
    expect(await codeOf(submit(api.world.principal.client, ended.id, { evidence: [] }))).toBe(
      '400 VALIDATION_ERROR',
    );
  });

  it('side 403 before the state 422', async () => {
    expect(
      await codeOf(submit(api.world.principal.client, ended.id, { evidence: { score: 1 } })),
    ).toBe('403 FORBIDDEN');
    expect(
      await codeOf(
        api.world.performer.client.post(`/v1/records/${ended.id}/verdict`, {
          verdict: 'accept',
          completionId: NOBODY,
        }),
      ),
    ).toBe('403 FORBIDDEN');
    expect(await codeOf(api.world.performer.client.post(`/v1/records/${ended.id}/revision`))).toBe(
      '403 FORBIDDEN',
    );
  });

  it('state 422 before schema 422', async () => {
    expect(await codeOf(submit(api.world.performer.client, ended.id, { evidence: {} }))).toBe(
      '422 UNPROCESSABLE_STATE',
    );
    expect(await codeOf(submit(api.world.performer.client, delivered.id, { evidence: {} }))).toBe(
      '422 UNPROCESSABLE_STATE',
    );
  });

  it('state 422 before a stale completionId', async () => {
    expect(
      await codeOf(
        api.world.principal.client.post(`/v1/records/${ended.id}/verdict`, {
          verdict: 'accept',
          completionId: NOBODY,
        }),
      ),
    ).toBe('422 UNPROCESSABLE_STATE');
  });

  it('the state before the mode: a revision where gates decide', async () => {
    const { id } = await ok(
      api.world.principal.client.post('/v1/records', {
        type: 'auto-job',
        criteria: { goal: 'g', threshold: 1 },
        autoActivate: true,
      }),
    );
    const { body } = await api.world.principal.client.post(`/v1/records/${id}/revision`);
    expect({ code: body['code'], reason: body['reason'] }).toEqual({
      code: 'UNPROCESSABLE_STATE',
      reason: undefined,
    });
  });
});
