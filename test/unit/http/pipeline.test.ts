import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicRoute, route } from '../../../adapters/http/route.ts';
import { NotaryError, notFound } from '../../../domain/kernel/errors.ts';
import { json, post, raw, start, thingRoute, type Running } from './support.ts';

const Path = Type.Object({ id: Type.String({ format: 'uuid' }) });
const ID = '019c1f00-0000-7000-8000-000000000001';

const rows = [
  thingRoute().row,
  route({
    method: 'GET',
    path: '/v1/things/{id}',
    operationId: 'getThing',
    summary: 'Read',
    tag: 'Things',
    access: { scope: 'records:read' },
    params: Path,
    answers: {},
    execute: async (_context, { params }) => {
      if (params.id !== ID) throw notFound('thing');
      return { id: params.id };
    },
    present: (body, view) => ({
      status: 200,
      headers: { ETag: '"7"' },
      body: { ...body, link: view.link('createThing'), hidden: view.link('adminThing') },
    }),
  }),
  route({
    method: 'POST',
    path: '/v1/things/{id}/act',
    operationId: 'actOnThing',
    summary: 'Act',
    tag: 'Things',
    access: { scope: ['records:write', 'completions:write'] },
    params: Path,
    ifMatch: true,
    refresh: '/v1/things/{id}',
    body: Type.Object({ reason: Type.Optional(Type.String()) }, { additionalProperties: false }),
    bodyOptional: true,
    answers: {},
    execute: async (_context, { ifVersions, body }) => {
      if (ifVersions !== undefined && !ifVersions.includes(7))
        throw new NotaryError('PRECONDITION_FAILED', 'It is another version by now.');
      if (body.reason === 'state')
        throw new NotaryError('INVALID_TRANSITION', 'Not now.', { currentState: 'FULFILLED' });
      if (body.reason === 'fault') throw new Error('secret of the inside');
      return { ifVersions: ifVersions ?? null };
    },
    present: (body) => ({ status: 200, body }),
  }),
  route({
    method: 'POST',
    path: '/v1/admin/things',
    operationId: 'adminThing',
    summary: 'Administer',
    tag: 'Things',
    access: { scope: null, roles: ['platform'] },
    answers: {},
    execute: async () => ({}),
    present: (body) => ({ status: 201, body }),
  }),
  route({
    method: 'GET',
    path: '/v1/things',
    operationId: 'listThings',
    summary: 'List',
    tag: 'Things',
    access: { scope: 'records:read' },
    query: Type.Object({ name: Type.Optional(Type.String()) }),
    paged: true,
    answers: {},
    execute: async (_context, { slice }) => slice,
    present: (slice, view) => ({
      status: 200,
      body: { slice, nextCursor: view.cursor({ key: 'k', id: 'i' }) },
    }),
  }),
  route({
    method: 'GET',
    path: '/v1/slow',
    operationId: 'slowThing',
    summary: 'Slow',
    tag: 'Things',
    access: { scope: null },
    answers: {},
    execute: () => new Promise((resolve) => setTimeout(() => resolve({}), 700)),
    present: (body) => ({ status: 200, body }),
  }),
  publicRoute({
    method: 'GET',
    path: '/open',
    operationId: 'openThing',
    summary: 'Open',
    tag: 'Things',
    answers: {},
    execute: async () => ({ open: true }),
    present: (body) => ({ status: 200, body }),
  }),
];

let running: Running;
beforeAll(
  async () =>
    void (running = await start(rows, {
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

describe('the order of refusals', () => {
  it('is 401, then role and scope, then the shape, then what the use case says', async () => {
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
    expect(await json(await act('"7"'))).toEqual({ ifVersions: [7] });
    expect(await json(await act('*'))).toEqual({ ifVersions: null });
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
  it('lead only where this caller may go', async () => {
    expect(await json(await get(`/v1/things/${ID}`))).toMatchObject({ link: null, hidden: null });
    expect(
      await json(await get(`/v1/things/${ID}`, { authorization: 'Bearer writer' })),
    ).toMatchObject({ link: { method: 'POST', href: '/v1/things' }, hidden: null });
  });
});

describe('cursors', () => {
  it('go on for the same caller and filters, and for no other', async () => {
    const cursor = (await json(await get('/v1/things?name=a')))['nextCursor'] as string;
    expect(await json(await get(`/v1/things?name=a&limit=10&cursor=${cursor}`))).toMatchObject({
      slice: { limit: 10, after: { key: 'k', id: 'i' } },
    });
    expect((await get(`/v1/things?name=b&cursor=${cursor}`)).status).toBe(400);
    expect((await get(`/v1/things?cursor=${cursor}`)).status).toBe(400);
    expect(
      (await get(`/v1/things?name=a&cursor=${cursor}`, { authorization: 'Bearer writer' })).status,
    ).toBe(400);
    expect((await get('/v1/things?cursor=nonsense')).status).toBe(400);
    expect(await json(await get('/v1/things'))).toMatchObject({
      slice: { limit: 50, after: null },
    });
  });
});

describe('limits that are off', () => {
  it('leave no headers behind', async () => {
    expect((await get('/open')).headers.get('x-ratelimit-limit')).toBeNull();
  });
});
