import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem } from '../support/stories/problems.ts';
import { addAgent, Client, mintKey, type Answer, type Body } from '../support/service/world.ts';

const note = { type: 'note', criteria: {} };
const times = async (count: number, call: () => Promise<Answer<Body>>): Promise<number[]> => {
  const statuses: number[] = [];
  for (let round = 0; round < count; round++) statuses.push((await call()).status);
  return statuses;
};
const refused = (answer: Answer<Body>): void => {
  const problem = expectProblem(answer, 429, 'RATE_LIMITED', {
    type: '/problems/rate-limited',
    retryable: true,
  });
  expect(problem['suggestion']).toEqual(expect.any(String));
  const after = Number(answer.headers.get('retry-after'));
  expect(after).toBeGreaterThan(0);
  expect(after).toBeLessThanOrEqual(60);
  expect(Number(answer.headers.get('x-ratelimit-remaining'))).toBe(0);
};

describe('a key', () => {
  const api = useApi({ RATE_LIMIT_AGENT: '6', RATE_LIMIT_RECORDS_CREATE: '4' });
  const agent = async (): Promise<Client> =>
    (await addAgent(api.world.admin, api.world.orgId, 'limited')).client;

  it('every answer says how much is left, in both forms of header', async () => {
    const client = await agent();
    const first = await client.get('/v1/auth/me');
    expect({
      limit: first.headers.get('x-ratelimit-limit'),
      remaining: first.headers.get('x-ratelimit-remaining'),
    }).toEqual({ limit: '6', remaining: '5' });
    const reset = Number(first.headers.get('x-ratelimit-reset'));
    expect(reset).toBeGreaterThan(0);
    expect(reset).toBeLessThanOrEqual(60);
    expect(first.headers.get('ratelimit')).toEqual(expect.any(String));
    expect(first.headers.get('ratelimit-policy')).toEqual(expect.any(String));
    expect((await client.get('/v1/auth/me?x=1')).headers.get('x-ratelimit-remaining')).toEqual(
      expect.any(String),
    );
  });

  it('429 with Retry-After after the last one, and not for another key', async () => {
    const client = await agent();
    expect(await times(6, () => client.get('/v1/auth/me'))).toEqual([200, 200, 200, 200, 200, 200]);
    const answer = await client.get('/v1/auth/me');
    refused(answer);
    expect(answer.body['detail']).toMatch(
      /^More than 6 requests of this key within a minute: the limit "key" \(RATE_LIMIT_AGENT\)\. Try again in \d+ s\.$/,
    );
    expect((await (await agent()).get('/v1/auth/me')).status).toBe(200);
  });

  it('refusals of other kinds count too', async () => {
    const client = await agent();
    await times(6, () => client.get('/v1/records/x'));
    refused(await client.get('/v1/records/x'));
  });

  it('429 comes before 403 and 400', async () => {
    const client = await agent();
    await times(6, () => client.get('/v1/auth/me'));
    refused(await client.get('/v1/admin/agents'));
    refused(await client.post('/v1/records', '{'));
  });

  it('POST /v1/records has a limit of its own, and the tightest window is shown', async () => {
    const client = await agent();
    const first = await client.post('/v1/records', note);
    expect({
      status: first.status,
      limit: first.headers.get('x-ratelimit-limit'),
      remaining: first.headers.get('x-ratelimit-remaining'),
    }).toEqual({ status: 201, limit: '4', remaining: '3' });
    expect(await times(3, () => client.post('/v1/records', note))).toEqual([201, 201, 201]);
    refused(await client.post('/v1/records', note));
    expect((await client.get('/v1/auth/me')).status).toBe(200);
  });

  it('each item of a bulk counts', async () => {
    const client = await agent();
    expect((await client.post('/v1/records/bulk', [note, note, note])).status).toBe(207);
    expect((await client.post('/v1/records', note)).status).toBe(201);
    refused(await client.post('/v1/records', note));
  });

  it('a bulk beyond what is left is refused as a whole', async () => {
    const client = await agent();
    await client.post('/v1/records', note);
    const answer = await client.post('/v1/records/bulk', [note, note, note, note]);
    expectProblem(answer, 429, 'RATE_LIMITED');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.body['detail']).toMatch(
      /^More than 4 records created with this key within a minute: the limit "records-create" \(RATE_LIMIT_RECORDS_CREATE\)\. Try again in \d+ s\.$/,
    );
    const { body } = await client.get('/v1/records');
    expect(body['total']).toBe(1);
  });

  it('a bulk that no wait makes possible is told how many items are, and nothing to wait for', async () => {
    const client = await agent();
    const answer = await client.post('/v1/records/bulk', [note, note, note, note, note]);
    expectProblem(answer, 413, 'PAYLOAD_TOO_LARGE', {
      detail:
        'A call of 5 items never fits: no more than 4 records created with this key are taken within a minute, by the limit "records-create" (RATE_LIMIT_RECORDS_CREATE).',
      suggestion: 'Send at most 4 items in one call, and the others a minute later.',
      errors: [{ path: '', keyword: 'maxItems', message: 'must have at most 4 items' }],
      retryable: false,
    });
    expect(answer.headers.get('retry-after')).toBeNull();
    expect((await client.get('/v1/records')).body['total']).toBe(0);
    expect((await (await agent()).post('/v1/records/bulk', [note, note, note, note])).status).toBe(
      207,
    );
  });

  it('a bulk that is refused counts as no creation', async () => {
    const client = await agent();
    expect((await client.post('/v1/records/bulk', [])).status).toBe(400);
    expect((await client.post('/v1/records/bulk', Array(5).fill(note))).status).toBe(413);
    expect(await times(4, () => client.post('/v1/records', note))).toEqual([201, 201, 201, 201]);
  });

  it('a bulk of one item counts as one creation', async () => {
    const client = await agent();
    expect(await times(4, () => client.post('/v1/records/bulk', [note]))).toEqual([
      207, 207, 207, 207,
    ]);
    refused(await client.post('/v1/records/bulk', [note]));
  });

  it('a replayed answer counts, and a 429 is not kept as the answer of an Idempotency-Key', async () => {
    const client = await agent();
    expect(
      await times(4, () => client.post('/v1/records', note, { 'idempotency-key': 'one' })),
    ).toEqual([201, 201, 201, 201]);
    refused(await client.post('/v1/records', note, { 'idempotency-key': 'two' }));
    const later = await client.post('/v1/records', note, { 'idempotency-key': 'two' });
    expect(later.headers.get('idempotency-replayed')).toBeNull();
  });
});

describe('an org', () => {
  const api = useApi({ RATE_LIMIT_ADMIN: '25' });
  it('its admin keys and its agents share one window', async () => {
    const { admin, orgId } = api.world;
    const one = await addAgent(admin, orgId, 'one');
    const statuses = await times(30, () => one.client.get('/v1/auth/me'));
    expect(statuses.at(-1)).toBe(429);
    const answer = await admin.get('/v1/auth/me');
    expect([answer.status, answer.body['detail']]).toEqual([
      429,
      expect.stringMatching(
        /^More than 25 requests of this org [^:]*: the limit "org" \(RATE_LIMIT_ADMIN\)/,
      ),
    ]);
    expect((await api.world.platform.get('/v1/auth/me')).status).toBe(200);
  });
});

describe('a search of the documentation', () => {
  const api = useApi({ RATE_LIMIT_ANONYMOUS: '20' });
  it('counts one call for each word that is looked for, and is refused when they are used up', async () => {
    const search = (words: string): Promise<Response> =>
      fetch(`${api.world.url}/docs/search?q=${encodeURIComponent(words)}`);
    const left = async (words: string): Promise<number> =>
      Number((await search(words)).headers.get('x-ratelimit-remaining'));
    const first = await left('dispute');
    expect(first - (await left(''))).toBe(1);
    expect(first - (await left('webhook chain record'))).toBe(4);
    expect(first - (await left('a b c d e f g h i j k l m'))).toBe(12);
    expect((await search('a b c d e f g h')).status).toBe(429);
  });
});

describe('an address', () => {
  const api = useApi({ RATE_LIMIT_ANONYMOUS: '8' });
  it('failed authentication counts, whatever is wrong with the credential', async () => {
    const unknown = new Client(api.world.url, 'svc_agt_' + 'a'.repeat(49));
    await times(3, () => unknown.get('/v1/auth/me'));
    await times(3, () => api.world.anonymous.get('/v1/auth/me'));
    await times(2, () => api.world.anonymous.get('/v1/auth/me', { authorization: 'Bearer x' }));
    const answer = await unknown.get('/v1/auth/me');
    refused(answer);
    expect(answer.body['detail']).toMatch(
      /^More than 8 failed authentications from this address [^:]*: the limit "address" \(RATE_LIMIT_ANONYMOUS\)/,
    );
    refused(await api.world.anonymous.post('/v1/records', note));
  });

  it('that failed too often shuts out nobody who was here before with a valid credential; a new one waits', async () => {
    const [known, fresh] = await Promise.all([
      addAgent(api.world.admin, api.world.orgId, 'known'),
      addAgent(api.world.admin, api.world.orgId, 'fresh'),
    ]);
    const unknown = new Client(api.world.url, 'svc_agt_' + 'c'.repeat(49));
    refused(await unknown.get('/v1/auth/me'));
    refused(await known.client.get('/v1/auth/me'));
    expect((await api.world.admin.get('/v1/auth/me')).status).toBe(200);
    expect((await api.world.admin.post(`/v1/admin/agents/${fresh.id}/deactivate`)).status).toBe(
      200,
    );
  });

  it('requests of public paths count', async () => {
    const first = await api.world.anonymous.get('/v1/scope-profiles');
    expect(first.headers.get('x-ratelimit-limit')).toBe('8');
    await times(7, () => api.world.anonymous.get('/v1/nowhere'));
    const answer = await api.world.anonymous.get('/v1/verification-keys');
    refused(answer);
    expect(answer.body['detail']).toMatch(
      /^More than 8 requests without a valid credential from this address [^:]*: the limit "address" \(RATE_LIMIT_ANONYMOUS\)/,
    );
  });

  it('X-Forwarded-For of an untrusted source does not make another address', async () => {
    expect(
      (await api.world.anonymous.get('/v1/scope-profiles', { 'x-forwarded-for': '203.0.113.9' }))
        .status,
    ).toBe(429);
  });

  it('probes carry the headers and never refuse', async () => {
    for (const path of ['/livez', '/readyz', '/health', '/status']) {
      const statuses = await times(12, () => api.world.anonymous.get(path));
      expect(new Set(statuses)).toEqual(new Set([200]));
      expect((await api.world.anonymous.get(path)).headers.get('x-ratelimit-limit')).toEqual(
        expect.any(String),
      );
    }
  });
});

describe('the multiplier', () => {
  const api = useApi({
    RATE_LIMIT_RECORDS_CREATE: '4',
    RATE_LIMIT_ROUTE_MULTIPLIER: '0.5',
    RATE_LIMIT_AGENT: '20',
  });
  it('scales per-route limits only', async () => {
    const { client } = await mintKey(api.world.admin, api.world.principal.id, {});
    expect((await client.post('/v1/records', note)).headers.get('x-ratelimit-limit')).toBe('2');
    expect((await client.get('/v1/auth/me')).headers.get('x-ratelimit-limit')).toBe('20');
  });
});

describe('the defaults', () => {
  const api = useApi({
    RATE_LIMIT_AGENT: '500',
    RATE_LIMIT_ADMIN: '1000',
    RATE_LIMIT_PLATFORM: '1000',
    RATE_LIMIT_RECORDS_CREATE: '200',
    RATE_LIMIT_ANONYMOUS: '300',
  });
  it('agent 500, admin 1000, platform 1000, creation 200, without a credential 300', async () => {
    const limit = async (answer: Promise<Answer<Body>>): Promise<string | null> =>
      (await answer).headers.get('x-ratelimit-limit');
    expect(await limit(api.world.principal.client.get('/v1/auth/me'))).toBe('500');
    expect(await limit(api.world.admin.get('/v1/auth/me'))).toBe('1000');
    expect(await limit(api.world.platform.get('/v1/auth/me'))).toBe('1000');
    expect(await limit(api.world.principal.client.post('/v1/records', note))).toBe('200');
    expect(await limit(api.world.anonymous.get('/v1/scope-profiles'))).toBe('300');
  });
});
