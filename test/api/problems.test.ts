import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem, expectProblemForm, NOBODY, UUID } from '../support/stories/problems.ts';
import {
  mintKey,
  ok,
  openDecided,
  openJob,
  type Answer,
  type Body,
} from '../support/service/world.ts';

const api = useApi();

const REFUSALS: readonly (readonly [number, string, string, () => Promise<Answer<Body>>])[] = [
  [
    400,
    'VALIDATION_ERROR',
    'validation-error',
    () => api.world.principal.client.post('/v1/records', {}),
  ],
  [401, 'UNAUTHORIZED', 'unauthorized', () => api.world.anonymous.get('/v1/records')],
  [
    403,
    'INSUFFICIENT_SCOPE',
    'forbidden',
    () => api.world.principal.client.get('/v1/admin/agents'),
  ],
  [403, 'FORBIDDEN', 'forbidden', () => api.world.admin.post('/v1/admin/orgs', { name: 'x' })],
  [404, 'NOT_FOUND', 'not-found', () => api.world.principal.client.get(`/v1/records/${NOBODY}`)],
  [404, 'NOT_FOUND', 'not-found', () => api.world.anonymous.get('/nowhere')],
  [
    405,
    'METHOD_NOT_ALLOWED',
    'method-not-allowed',
    () => api.world.principal.client.call('PUT', '/v1/records'),
  ],
  [
    406,
    'NOT_ACCEPTABLE',
    'not-acceptable',
    () => api.world.principal.client.get('/v1/records', { accept: 'text/plain' }),
  ],
  [
    409,
    'CONFLICTING_VERSION',
    'conflict',
    () =>
      api.world.admin.post('/v1/schemas', {
        type: 'note',
        version: 1,
        completionSchema: {},
        title: 'other',
      }),
  ],
  [
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    'unsupported-media-type',
    () => api.world.principal.client.post('/v1/records', '{}', { 'content-type': 'text/plain' }),
  ],
  [
    422,
    'VALIDATION_ERROR',
    'validation-error',
    () => api.world.principal.client.post('/v1/records', { type: 'nope', criteria: {} }),
  ],
  [
    422,
    'SCHEMA_VALIDATION_ERROR',
    'schema-validation-error',
    () => api.world.principal.client.post('/v1/records', { type: 'job', criteria: {} }),
  ],
  [
    422,
    'INVALID_ACTION',
    'invalid-action',
    async () =>
      api.world.principal.client.post(
        `/v1/records/${String((await openJob(api.world))['id'])}/transition`,
        { action: 'accept' },
      ),
  ],
  [
    422,
    'UNPROCESSABLE_STATE',
    'invalid-transition',
    async () =>
      api.world.principal.client.post(
        `/v1/records/${(await openDecided(api.world, 'accept')).id}/cancel`,
      ),
  ],
  [
    412,
    'PRECONDITION_FAILED',
    'precondition-failed',
    async () =>
      api.world.principal.client.post(
        `/v1/records/${String((await openJob(api.world))['id'])}/cancel`,
        undefined,
        { 'if-match': '"0"' },
      ),
  ],
];

describe('every refusal', () => {
  it.each(REFUSALS)(
    '%d %s is a problem document of /problems/%s',
    async (status, code, slug, refuse) => {
      const answer = await refuse();
      const problem = expectProblem(answer, status, code, {
        type: `/problems/${slug}`,
        title: expect.any(String),
        retryable: false,
      });
      expect(problem['instance']).toMatch(/^\//);
      expect(problem['message']).toEqual(expect.any(String));
    },
  );

  it.each([
    ...new Set(REFUSALS.map((row) => row[2])),
    'rate-limited',
    'service-unavailable',
    'internal-error',
    'payload-too-large',
    'unprocessable-state',
    'ambiguous-publisher',
    'schema-digest-mismatch',
  ])('/problems/%s explains it without a credential', async (slug) => {
    const response = await fetch(`${api.world.url}/problems/${slug}`);
    expect(response.status).toBe(200);
    expect((await response.text()).length).toBeGreaterThan(50);
  });

  it('404: a problem that is not in the catalogue', async () => {
    for (const slug of ['nothing', 'toString', '__proto__'])
      expectProblem(await api.world.anonymous.get(`/problems/${slug}`), 404, 'NOT_FOUND');
  });

  it('401 and 403 send WWW-Authenticate: Bearer with the error and the scope (RFC 6750)', async () => {
    const unknown = await api.world.anonymous.get('/v1/records', { authorization: 'Bearer nope' });
    expect(unknown.headers.get('www-authenticate')).toMatch(/^Bearer\b.*error="invalid_token"/);
    expect((await api.world.anonymous.get('/v1/records')).headers.get('www-authenticate')).toMatch(
      /^Bearer\b/,
    );
    const { client } = await mintKey(api.world.admin, api.world.principal.id, {
      scopes: ['records:read'],
    });
    const scope = (await client.post('/v1/records', { type: 'note', criteria: {} })).headers.get(
      'www-authenticate',
    );
    expect(scope).toMatch(/^Bearer\b/);
    expect(scope).toContain('error="insufficient_scope"');
    expect(scope).toContain('scope="records:write"');
  });

  it('quotes hostile input without breaking the document or the headers', async () => {
    const hostile = '"\r\nX-Evil: 1\u2028<script>\u0000';
    const { status, body, headers } = await api.world.principal.client.post('/v1/records', {
      type: hostile,
      criteria: {},
      [hostile]: 1,
    });
    expect(status).toBe(400);
    expect(headers.get('x-evil')).toBeNull();
    expectProblemForm({ status, body, headers });
    expectProblem(
      await api.world.principal.client.get(`/v1/records/${encodeURIComponent(hostile)}`),
      400,
      'VALIDATION_ERROR',
    );
    expectProblem(
      await api.world.anonymous.get(`/${encodeURIComponent(hostile)}`),
      404,
      'NOT_FOUND',
    );
  });

  it('is short, however long what it refuses', async () => {
    const members = Object.fromEntries(
      Array.from({ length: 5000 }, (_, at) => [`unknown${at}`, 'x'.repeat(100)]),
    );
    const answer = await api.world.principal.client.post('/v1/records', {
      type: 'note',
      criteria: {},
      ...members,
    });
    expectProblem(answer, 400, 'VALIDATION_ERROR');
    expect(JSON.stringify(answer.body).length).toBeLessThan(100_000);
    expect(answer.body['errors'].length).toBeLessThanOrEqual(100);
  });
});

describe('a path that cannot be decoded', () => {
  it.each([
    '/v1/records/%',
    '/v1/records/%zz',
    '/v1/schemas/%ff',
    '/%E0%A4%A',
    '/predicates/%/v1',
    '/v1/records/..%2f..%2fetc',
  ])('%s is refused with 400 or 404', async (path) => {
    const answer = await api.world.principal.client.get(path);
    expect([400, 404]).toContain(answer.status);
    expectProblemForm(answer);
  });
});

describe('X-Request-ID', () => {
  const sent = async (id: string): Promise<string | null> =>
    (await api.world.anonymous.get('/livez', { 'x-request-id': id })).headers.get('x-request-id');

  it('is echoed where it is valid, up to 128 characters', async () => {
    for (const id of ['abc-123', 'A', '-', 'x'.repeat(128)]) expect(await sent(id)).toBe(id);
  });

  it('is replaced by a UUID where it is not, never refused', async () => {
    for (const id of ['x'.repeat(129), 'a b', 'a_b', 'a/b', 'ü', '<script>', ''])
      expect(await sent(id)).toMatch(UUID);
  });

  it('is on every answer, a UUID where none was sent', async () => {
    for (const path of ['/livez', '/nowhere', '/v1/records', '/docs/openapi.json'])
      expect((await api.world.anonymous.get(path)).headers.get('x-request-id')).toMatch(UUID);
  });

  it('is in the problem and in the sealed entry of the request', async () => {
    const { client } = api.world.principal;
    expect(
      (await client.post('/v1/records', {}, { 'x-request-id': 'mine-1' })).body['requestId'],
    ).toBe('mine-1');
    const { id } = await ok(
      client.post('/v1/records', { type: 'note', criteria: {} }, { 'x-request-id': 'mine-2' }),
    );
    expect(
      (await ok(client.get(`/v1/records/${id}/audit-export`)))['chain'].entries[0].statement
        .predicate.requestId,
    ).toBe('mine-2');
  });
});
