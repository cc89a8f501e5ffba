import { Type } from 'typebox';
import { afterEach, describe, expect, it } from 'vitest';
import { publicRoute, route } from '../../../adapters/http/route.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import { json, NO_LIMITS, post, start, thingRoute, type Running } from './support.ts';

let running: Running | undefined;
afterEach(() => running?.stop());

const get = (path: string, token?: string): Promise<Response> =>
  fetch(
    running!.url + path,
    token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
  );
const read = route({
  method: 'GET',
  path: '/v1/things',
  operationId: 'listThings',
  summary: 'List',
  tag: 'T',
  access: { scope: null },
  answers: {},
  execute: async () => ({}),
  present: (body) => ({ status: 200, body }),
});
const open = publicRoute({
  method: 'GET',
  path: '/open',
  operationId: 'open',
  summary: 'Open',
  tag: 'T',
  answers: {},
  execute: async () => ({}),
  present: (body) => ({ status: 200, body }),
});
const probe = publicRoute({
  method: 'GET',
  path: '/livez',
  operationId: 'probe',
  summary: 'Probe',
  tag: 'T',
  limit: 'probe',
  answers: {},
  execute: async () => ({}),
  present: (body) => ({ status: 200, body }),
});
const create = { ...thingRoute().row, limit: 'records-create' as const };
const bulk = route({
  method: 'POST',
  path: '/v1/bulk',
  operationId: 'bulk',
  summary: 'Bulk',
  tag: 'T',
  access: { scope: 'records:write' },
  limit: 'records-create',
  body: Type.Unsafe<readonly unknown[]>({ type: 'array', items: {}, minItems: 1 }),
  cost: (body) => (body as unknown[]).length,
  answers: {},
  execute: async () => ({}),
  present: (body) => ({ status: 207, body }),
});
const remaining = (response: Response): number =>
  Number(response.headers.get('x-ratelimit-remaining'));

describe('rate limits', () => {
  it("count an agent in its key's window and in its org's; the headers show the tightest", async () => {
    running = await start([read], { limits: { ...NO_LIMITS, agent: 3, admin: 5 } });
    const first = await get('/v1/things', 'writer');
    expect([first.headers.get('x-ratelimit-limit'), remaining(first)]).toEqual(['3', 2]);
    expect(Number(first.headers.get('x-ratelimit-reset'))).toBeLessThanOrEqual(60);
    expect(first.headers.get('ratelimit')).toMatch(/^"key";r=2;t=\d+$/);
    expect(first.headers.get('ratelimit-policy')).toBe('"key";q=3;w=60, "org";q=5;w=60');
    await get('/v1/things', 'other');
    await get('/v1/things', 'other');
    // The org has 2 left, the other key 1, this key 2.
    expect(remaining(await get('/v1/things', 'writer'))).toBe(1);
    const last = await get('/v1/things', 'admin');
    expect([last.status, remaining(last)]).toEqual([200, 0]);
    const refused = await get('/v1/things', 'writer');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await json(refused)).toMatchObject({ code: 'RATE_LIMITED', retryable: true });
  });

  it('count a platform key by itself', async () => {
    running = await start([read], { limits: { ...NO_LIMITS, platform: 2, admin: 1 } });
    await get('/v1/things', 'admin');
    expect((await get('/v1/things', 'platform')).status).toBe(200);
    expect((await get('/v1/things', 'platform')).status).toBe(200);
    expect((await get('/v1/things', 'platform')).status).toBe(429);
  });

  it('scale the window of creation, and only that, by the multiplier; each item of a bulk counts', async () => {
    running = await start([create, bulk, read], {
      limits: { ...NO_LIMITS, agent: 100, recordsCreate: 5, operationMultiplier: 2 },
    });
    expect(remaining(await post(`${running.url}/v1/things`, { name: 'a' }))).toBe(9);
    expect(remaining(await post(`${running.url}/v1/bulk`, [1, 2, 3, 4, 5]))).toBe(4);
    expect((await post(`${running.url}/v1/bulk`, [1, 2, 3, 4, 5])).status).toBe(429);
    expect((await get('/v1/things', 'writer')).status).toBe(200);
  });

  it('come before the shape of the body, and after the credential', async () => {
    running = await start([create], { limits: { ...NO_LIMITS, agent: 1 } });
    await post(`${running.url}/v1/things`, { name: 'a' });
    expect((await post(`${running.url}/v1/things`, '{')).status).toBe(429);
    expect(
      (await post(`${running.url}/v1/things`, '{', { authorization: 'Bearer nobody' })).status,
    ).toBe(401);
  });

  it('count an address without a credential, unknown paths and preflights included', async () => {
    running = await start([open, read], { limits: { ...NO_LIMITS, anonymous: 3 } });
    expect(remaining(await get('/open'))).toBe(2);
    expect((await get('/nothing')).status).toBe(404);
    await fetch(`${running.url}/open`, { method: 'OPTIONS' });
    expect((await get('/open')).status).toBe(429);
    expect((await get('/nothing')).status).toBe(429);
    expect((await get('/v1/things', 'writer')).status).toBe(200);
  });

  it('never refuse a probe, which shows the headers and counts for nothing', async () => {
    running = await start([open, probe], { limits: { ...NO_LIMITS, anonymous: 1 } });
    for (let i = 0; i < 5; i++) expect(remaining(await get('/livez'))).toBe(1);
    await get('/open');
    const answer = await get('/livez');
    expect([answer.status, remaining(answer)]).toEqual([200, 0]);
  });

  it('stop an address that fails to authenticate, before any further look-up', async () => {
    let lookUps = 0;
    running = await start([read], {
      limits: { ...NO_LIMITS, anonymous: 3 },
      authentication: {
        execute: async () => {
          lookUps++;
          throw new NotaryError('UNAUTHORIZED', 'Invalid or inactive API key.');
        },
      },
    });
    for (let i = 0; i < 3; i++) expect((await get('/v1/things', 'guess')).status).toBe(401);
    expect((await get('/v1/things', 'guess')).status).toBe(429);
    expect(lookUps).toBe(3);
  });

  it('stop an address whose tokens nobody can judge at the moment, too', async () => {
    running = await start([read], {
      limits: { ...NO_LIMITS, anonymous: 3 },
      authentication: {
        execute: () =>
          Promise.reject(
            new NotaryError(
              'SERVICE_UNAVAILABLE',
              'The key set of the issuer cannot be fetched at the moment.',
              { reason: 'jwks_fetch_failed' },
            ),
          ),
      },
    });
    for (let i = 0; i < 3; i++) expect((await get('/v1/things', 'invented')).status).toBe(503);
    expect((await get('/v1/things', 'invented')).status).toBe(429);
  });
});
