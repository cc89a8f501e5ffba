import { afterEach, describe, expect, it } from 'vitest';
import { bind } from '../../../adapters/rest/binding.ts';
import { operation } from '../../../application/call/operation.ts';
import { createThing } from '../call/support.ts';
import { json, post, start, thingBinding, type Running } from './support.ts';

let running: Running | undefined;
afterEach(() => running?.stop());

const openThing = operation({
  ...createThing,
  id: 'openThing',
  access: () => 'public',
  view: () => ({ view: {} }),
});
const open = bind(openThing, { method: 'POST', path: '/open' });
const ask = (path: string, headers?: { readonly [name: string]: string }): Promise<Response> =>
  post(`${running!.url}${path}`, { name: 'a' }, headers);
const remaining = ({ headers }: Response): number => Number(headers.get('x-ratelimit-remaining'));

describe('what a call has left', () => {
  it('is told in both forms of header, with all of its windows', async () => {
    running = await start([thingBinding], { limits: { agent: 3, admin: 5 } });
    const { headers } = await ask('/v1/things');
    expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([
      '3',
      '2',
    ]);
    expect(Number(headers.get('x-ratelimit-reset'))).toBeLessThanOrEqual(60);
    expect(headers.get('ratelimit')).toMatch(/^"key";r=2;t=\d+$/);
    expect(headers.get('ratelimit-policy')).toBe('"key";q=3;w=60, "org";q=5;w=60');
  });

  it('is nothing: 429 with Retry-After, also before a body that is no JSON; a bad credential is 401 all the same', async () => {
    running = await start([thingBinding], { limits: { agent: 1 } });
    await ask('/v1/things');
    const refused = await post(`${running.url}/v1/things`, '{');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await json(refused)).toMatchObject({ code: 'RATE_LIMITED', retryable: true });
    expect((await ask('/v1/things', { authorization: 'Bearer nobody' })).status).toBe(401);
  });

  it('without a credential counts by address, unknown paths and preflights included', async () => {
    running = await start([open, thingBinding], { limits: { anonymous: 3 } });
    expect(remaining(await ask('/open'))).toBe(2);
    expect((await fetch(`${running.url}/nothing`)).status).toBe(404);
    await fetch(`${running.url}/open`, { method: 'OPTIONS' });
    expect((await ask('/open')).status).toBe(429);
    expect((await fetch(`${running.url}/nothing`)).status).toBe(429);
    expect((await ask('/v1/things')).status).toBe(201);
  });
});
