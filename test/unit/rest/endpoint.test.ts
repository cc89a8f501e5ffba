import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bind } from '../../../adapters/rest/binding.ts';
import { docOf } from '../../../adapters/rest/binding-doc.ts';
import { Links } from '../../../adapters/rest/links.ts';
import { openApiDocument } from '../../../adapters/rest/openapi.ts';
import type { CallContext } from '../../../application/call/call-context.ts';
import { listing, operation } from '../../../application/call/operation.ts';
import { NextStepSchema, PAGE_INPUT } from '../../../application/call/schemas.ts';
import { NotaryError, notFound } from '../../../domain/kernel/errors.ts';
import { THING } from '../call/support.ts';
import { json, post, raw, start, thingBinding, type Running } from '../http/support.ts';

const ID = '019c1f00-0000-7000-8000-000000000001';
const CLOSED = { additionalProperties: false } as const;
const ThingId = Type.String({ format: 'uuid' });
const step = (operation: string) => ({
  action: operation,
  operation,
  input: {},
  description: 'Do',
});

const getThing = operation({
  ...THING,
  id: 'getThing',
  effect: 'read',
  access: () => ({ scope: 'records:read' }),
  input: Type.Object({ thingId: ThingId }, CLOSED),
  output: Type.Object({ id: Type.String(), nextSteps: Type.Array(NextStepSchema) }),
  view: (id, guide) => ({
    view: { id: String(id), nextSteps: guide.steps(step('createThing'), step('adminThing')) },
    version: 7,
  }),
});
const actOnThing = operation({
  ...THING,
  id: 'actOnThing',
  access: () => ({ scope: ['records:write', 'completions:write'] }),
  input: Type.Object({ thingId: ThingId, reason: Type.Optional(Type.String()) }, CLOSED),
  isVersioned: true,
});
const adminThing = operation({
  ...THING,
  id: 'adminThing',
  access: () => ({ scope: null, roles: ['platform'] }),
  input: Type.Object({}, CLOSED),
});
const listThings = listing({
  ...THING,
  id: 'listThings',
  access: () => ({ scope: 'records:read' }),
  input: Type.Object({ name: Type.Optional(Type.String()), ...PAGE_INPUT }, CLOSED),
});
const slowThing = operation({
  ...THING,
  id: 'slowThing',
  access: () => ({ scope: null }),
  input: Type.Object({ slow: Type.String() }, CLOSED),
});
const openThing = operation({
  ...THING,
  id: 'openThing',
  access: () => 'public',
  input: Type.Object({}, CLOSED),
  view: () => ({ view: { open: true } }),
});

interface Asked {
  readonly thingId?: string;
  readonly reason?: string;
  readonly slow?: string;
}

/** What the use cases do with whatever they are asked. */
const act = (input: object, { expectedVersions }: CallContext): unknown => {
  const { thingId, reason, slow } = input as Asked;
  if (slow !== undefined) return new Promise((resolve) => setTimeout(() => resolve({}), 700));
  if (thingId !== undefined && thingId !== ID) throw notFound('thing');
  if (expectedVersions !== undefined && !expectedVersions.includes(7))
    throw new NotaryError('PRECONDITION_FAILED', 'It is another version by now.');
  if (reason === 'state')
    throw new NotaryError('INVALID_TRANSITION', 'Not now.', { currentState: 'FULFILLED' });
  if (reason === 'fault') throw new Error('secret of the inside');
  return { expectedVersions: expectedVersions ?? null };
};

const NAMES = { id: 'thingId' } as const;
const oldThing = bind(
  { ...getThing, id: 'getOldThing' },
  {
    method: 'GET',
    path: '/v1/old-things/{id}',
    names: NAMES,
    deprecated: { since: '2026-01-01', sunset: '2027-01-01' },
  },
);
const bindings = [
  thingBinding,
  bind(getThing, { method: 'GET', path: '/v1/things/{id}', names: NAMES }),
  bind(actOnThing, {
    method: 'POST',
    path: '/v1/things/{id}/act',
    names: NAMES,
    refresh: '/v1/things/{id}',
  }),
  bind(adminThing, { method: 'POST', path: '/v1/admin/things', status: 201 }),
  bind(listThings, { method: 'GET', path: '/v1/things' }),
  bind(slowThing, { method: 'GET', path: '/v1/slow', fixed: { slow: 'yes' } }),
  bind(openThing, { method: 'GET', path: '/open' }),
  oldThing,
];

let running: Running;
beforeAll(
  async () =>
    void (running = await start(bindings, {
      act,
      handlerTimeoutMs: 300,
      corsOrigins: ['https://app.example'],
    })),
);
afterAll(() => running.stop());

const get = (
  path: string,
  headers: { readonly [name: string]: string } = {},
  method = 'GET',
): Promise<Response> =>
  fetch(running.url + path, { method, headers: { authorization: 'Bearer reader', ...headers } });

describe('a deprecated path', () => {
  it('says so on every answer, refusals included, and in the documents; another path does not', async () => {
    for (const [id, status] of [
      [ID, 200],
      ['019c1f00-0000-7000-8000-00000000ffff', 404],
      ['not-a-uuid', 400],
    ] as const) {
      const { status: answered, headers } = await get(`/v1/old-things/${id}`);
      expect([answered, headers.get('deprecation'), headers.get('sunset')]).toEqual([
        status,
        '@1767225600',
        'Fri, 01 Jan 2027 00:00:00 GMT',
      ]);
      expect(headers.get('link')).toBe(
        '</docs/guides/versions>; rel="deprecation"; type="text/html"',
      );
    }
    expect((await get(`/v1/things/${ID}`)).headers.get('deprecation')).toBeNull();
    const routes = [docOf(oldThing, new Links([oldThing, ...bindings]))];
    const document = JSON.parse(JSON.stringify(openApiDocument(routes, 'https://notary.example')));
    const described = document.paths['/v1/old-things/{id}'].get;
    expect(described.deprecated).toBe(true);
    expect(Object.keys(described.responses['200'].headers)).toEqual(
      expect.arrayContaining(['Deprecation', 'Sunset', 'Link']),
    );
  });
});

describe('the order of refusals', () => {
  it('is 401, then role and scope, then the shape, then what the use case says, each by its status', async () => {
    const bad = '{"nope":1}';
    const none = await fetch(`${running.url}/v1/things`, {
      method: 'POST',
      body: bad,
      headers: { 'content-type': 'application/json' },
    });
    expect(none.status).toBe(401);
    expect(await json(none)).toMatchObject({ detail: 'The API key is missing.', retryable: false });
    expect(
      (await post(`${running.url}/v1/things`, bad, { authorization: 'Bearer reader' })).status,
    ).toBe(403);
    expect((await post(`${running.url}/v1/things`, bad)).status).toBe(400);
    expect((await post(`${running.url}/v1/things/not-a-uuid/act`, {})).status).toBe(400);
    expect((await get('/v1/things/019c1f00-0000-7000-8000-00000000ffff')).status).toBe(404);
  });

  it('names the missing scopes, any one of which would do', async () => {
    const response = await post(
      `${running.url}/v1/things/${ID}/act`,
      {},
      { authorization: 'Bearer reader' },
    );
    expect(await json(response)).toMatchObject({
      status: 403,
      code: 'INSUFFICIENT_SCOPE',
      missingScopes: ['records:write', 'completions:write'],
    });
    expect(response.headers.get('www-authenticate')).toContain(
      'scope="records:write completions:write"',
    );
  });

  it('names the role', async () => {
    const problem = await json(
      await post(`${running.url}/v1/admin/things`, {}, { authorization: 'Bearer admin' }),
    );
    expect(problem).toMatchObject({ status: 403, code: 'FORBIDDEN', allowedActors: ['platform'] });
    expect(problem['detail']).toContain('platform');
    expect(
      (await post(`${running.url}/v1/admin/things`, '', { authorization: 'Bearer platform' }))
        .status,
    ).toBe(201);
  });
});

describe('every answer', () => {
  it('echoes a valid X-Request-ID and replaces any other', async () => {
    expect((await get('/open', { 'x-request-id': 'abc-123' })).headers.get('x-request-id')).toBe(
      'abc-123',
    );
    for (const bad of ['a b', 'a'.repeat(129), 'ä', '']) {
      const id = (await get('/open', { 'x-request-id': bad })).headers.get('x-request-id')!;
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('is one log line with the route, never the path, and the key id, never the key', async () => {
    running.lines.length = 0;
    const response = await get(`/v1/things/${ID}`, { 'x-request-id': 'line-1' });
    await response.text();
    const line = running.lines.find((one) => one['requestId'] === 'line-1')!;
    expect(line).toMatchObject({
      method: 'GET',
      route: '/v1/things/{id}',
      status: 200,
      keyId: 'key-reader',
    });
    expect(line['durationMs']).toBeTypeOf('number');
    expect(JSON.stringify(running.lines)).not.toContain('Bearer');
  });

  it('is closed to other origins unless the operator opened it', async () => {
    expect(
      (await get('/open', { origin: 'https://evil.example' })).headers.get(
        'access-control-allow-origin',
      ),
    ).toBeNull();
    expect(
      (await get('/open', { origin: 'https://app.example' })).headers.get(
        'access-control-allow-origin',
      ),
    ).toBe('https://app.example');
    expect(
      (await get('/nothing', { origin: 'https://app.example' })).headers.get(
        'access-control-allow-origin',
      ),
    ).toBe('https://app.example');
    const preflight = await fetch(`${running.url}/v1/things`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(200);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Idempotency-Key');
  });
});

describe('paths and methods', () => {
  it('an unknown path is 404, whoever asks', async () => {
    for (const path of ['/v2/things', '/', '/v1/things/a/b/c', '/v1'])
      expect((await get(path)).status, path).toBe(404);
    expect((await fetch(`${running.url}/nothing`)).status).toBe(404);
  });

  it('another method is 405 with Allow', async () => {
    const response = await get('/v1/things', {}, 'DELETE');
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST, GET, HEAD, OPTIONS');
    expect(await json(response)).toMatchObject({
      code: 'METHOD_NOT_ALLOWED',
      type: '/problems/method-not-allowed',
    });
  });

  it('HEAD answers as GET does, without the body; OPTIONS tells the methods', async () => {
    const head = await get(`/v1/things/${ID}`, {}, 'HEAD');
    expect(head.status).toBe(200);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(10);
    expect(head.headers.get('etag')).toBe('"7"');
    expect(await head.text()).toBe('');
    const options = await fetch(`${running.url}/v1/things`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([
      200,
      'POST, GET, HEAD, OPTIONS',
    ]);
  });

  it('an Accept that takes nothing we have is 406', async () => {
    expect((await get(`/v1/things/${ID}`, { accept: 'text/csv' })).status).toBe(406);
    expect((await get(`/v1/things/${ID}`, { accept: 'text/csv, */*;q=0.1' })).status).toBe(200);
  });

  it('an unknown query parameter is 400, also on a route that takes none', async () => {
    expect((await get(`/v1/things/${ID}?verbose=1`)).status).toBe(400);
    expect(await json(await get('/v1/things?nam=x'))).toMatchObject({
      status: 400,
      errors: [{ path: '/nam' }],
    });
  });
});

describe('conditional requests (RFC 9110 section 13)', () => {
  it('If-None-Match answers 304 without a body while the ETag holds', async () => {
    for (const tag of ['"7"', 'W/"7"', '"1", "7"', '*']) {
      const response = await get(`/v1/things/${ID}`, { 'if-none-match': tag });
      expect([response.status, await response.text(), response.headers.get('etag')]).toEqual([
        304,
        '',
        '"7"',
      ]);
    }
    expect((await get(`/v1/things/${ID}`, { 'if-none-match': '"8"' })).status).toBe(200);
  });

  it('If-Match reaches the use case as a version; what is no ETag of a record is 412', async () => {
    const act = (tag: string): Promise<Response> =>
      post(`${running.url}/v1/things/${ID}/act`, {}, { 'if-match': tag });
    expect(await json(await act('"7"'))).toEqual({ expectedVersions: [7] });
    expect(await json(await act('*'))).toEqual({ expectedVersions: null });
    for (const tag of ['"8"', 'W/"7"', '7', '"x"', '"6", "8"']) {
      const problem = await json(await act(tag));
      expect(problem, tag).toMatchObject({
        status: 412,
        code: 'PRECONDITION_FAILED',
        refreshUrl: `/v1/things/${ID}`,
      });
    }
  });
});

describe('refusals of the use case', () => {
  it('a wrong state says where the state can be read', async () => {
    expect(
      await json(await post(`${running.url}/v1/things/${ID}/act`, { reason: 'state' })),
    ).toMatchObject({
      status: 422,
      type: '/problems/invalid-transition',
      code: 'UNPROCESSABLE_STATE',
      currentState: 'FULFILLED',
      refreshUrl: `/v1/things/${ID}`,
    });
  });

  it('a fault is 500, tells the request id alone, and is logged with its cause', async () => {
    running.lines.length = 0;
    const response = await post(
      `${running.url}/v1/things/${ID}/act`,
      { reason: 'fault' },
      { 'x-request-id': 'fault-1' },
    );
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).toContain('fault-1');
    expect(text).not.toContain('inside');
    expect(
      running.lines.some(
        (line) =>
          line['requestId'] === 'fault-1' &&
          (line['err'] as Error | undefined)?.message === 'secret of the inside',
      ),
    ).toBe(true);
  });

  it('past the time limit it is 503 with Retry-After', async () => {
    const response = await get('/v1/slow');
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await json(response)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
  });

  it('a POST without body and Content-Type is {} where no member is required', async () => {
    expect(
      (
        await fetch(`${running.url}/v1/things/${ID}/act`, {
          method: 'POST',
          headers: { authorization: 'Bearer writer' },
        })
      ).status,
    ).toBe(200);
    expect(
      await raw(running.port, (write) =>
        write(
          `POST /v1/things/${ID}/act HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer writer\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
        ),
      ),
    ).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('links', () => {
  const stepsFor = async (credential: string): Promise<unknown> =>
    (await json(await get(`/v1/things/${ID}`, { authorization: `Bearer ${credential}` })))[
      'nextSteps'
    ];

  it('lead only where this caller may go', async () => {
    expect(await stepsFor('reader')).toEqual([]);
    expect(await stepsFor('writer')).toEqual([
      { action: 'createThing', method: 'POST', href: '/v1/things', description: 'Do' },
    ]);
  });
});

describe('an Idempotency-Key', () => {
  const keyed = (key: string, body: unknown = { name: 'a' }): Promise<Response> =>
    post(`${running.url}/v1/things`, body, { 'idempotency-key': key });

  it('is the same key in plain form and as a structured-field string', async () => {
    const first = await keyed('k1');
    const again = await keyed('"k1"');
    expect(await again.text()).toBe(await first.text());
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([
      null,
      'true',
    ]);
    expect([again.status, again.headers.get('location')]).toEqual([201, '/v1/things/1']);
  });

  it('with another input is 422, but an unknown query parameter is 400 before', async () => {
    await keyed('k2');
    expect(await json(await keyed('k2', { name: 'b' }))).toMatchObject({
      status: 422,
      code: 'VALIDATION_ERROR',
      retryable: false,
    });
    const query = await post(
      `${running.url}/v1/things?x=1`,
      { name: 'a' },
      { 'idempotency-key': 'k2' },
    );
    expect(query.status).toBe(400);
  });

  it('under which a refusal is kept gives it again, as a problem document', async () => {
    const path = `${running.url}/v1/things/${ID}/act`;
    const asked = (id: string) =>
      post(path, { reason: 'state' }, { 'idempotency-key': 'k3', 'x-request-id': id });
    const first = await json(await asked('first'));
    const again = await asked('again');
    expect(again.headers.get('content-type')).toBe('application/problem+json');
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('x-request-id')).toBe('again');
    expect(await json(again)).toEqual(first);
    expect(first['requestId']).toBe('first');
  });

  it('that is empty or longer than 256 characters is 400', async () => {
    for (const key of ['""', 'x'.repeat(257)]) expect((await keyed(key)).status).toBe(400);
    expect((await keyed('x'.repeat(256))).status).toBe(201);
  });
});

describe('limits that are off', () => {
  it('leave no headers behind', async () => {
    expect((await get('/open')).headers.get('x-ratelimit-limit')).toBeNull();
  });
});
