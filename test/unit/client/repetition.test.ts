import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NotaryClient, NotaryProblem, NotaryUnreachable } from '../../../adapters/client/client.ts';
import type { NotaryClientSettings } from '../../../adapters/client/notary-client.ts';
import { retryAfterMs, waitMs } from '../../../adapters/client/retry.ts';
import { FlakyService, json, problem } from '../../support/peers/flaky-service.ts';

let service: FlakyService;
beforeAll(async () => {
  service = await FlakyService.open();
});
afterAll(() => service.stop());
beforeEach(() => {
  service.seen.length = 0;
});

const client = (changes: Partial<NotaryClientSettings> = {}): NotaryClient =>
  new NotaryClient({
    url: service.url,
    credential: 'k',
    retry: { baseMs: 1, maxMs: 5, ...changes.retry },
    ...changes,
  });
const NOTE = { type: 'note', criteria: { text: 'x' } };
const keys = (): unknown[] => service.seen.map(({ headers }) => headers['idempotency-key']);
/** The first so many answers fail, the others succeed. */
const failing = (times: number, fail: (response: Parameters<typeof json>[0]) => void): void => {
  service.behave = (response, count) =>
    count <= times ? fail(response) : json(response, 201, { id: 'r' });
};

describe('a call that meets a failure', () => {
  it.each<[string, (response: Parameters<typeof json>[0]) => void]>([
    ['429', (response) => problem(response, 429, 'RATE_LIMITED', { 'retry-after': '0' })],
    ['503', (response) => problem(response, 503, 'SERVICE_UNAVAILABLE')],
    ['500', (response) => problem(response, 500, 'INTERNAL_ERROR')],
    ['502 of a proxy, in HTML', (response) => response.writeHead(502).end('<html>')],
    ['a connection that is cut', (response) => response.destroy()],
    [
      'an answer that is cut',
      (response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"id"', () => response.destroy());
      },
    ],
    [
      '409 while the first one still runs',
      (response) => problem(response, 409, 'CONFLICT', { 'retry-after': '0' }),
    ],
  ])('%s is sent again, with the same body under the same key', async (_what, fail) => {
    failing(3, fail);
    expect(await client().notarize(NOTE)).toEqual({ id: 'r' });
    expect(service.seen).toHaveLength(4);
    expect(new Set(keys()).size).toBe(1);
    expect(keys()[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(service.seen.map(({ body }) => body))).toEqual(new Set([JSON.stringify(NOTE)]));
  });

  it.each([
    [400, 'VALIDATION_ERROR'],
    [401, 'UNAUTHORIZED'],
    [409, 'CONFLICT'],
    [422, 'INVALID_ACTION'],
  ])('%i %s is a refusal, and sent once', async (status, code) => {
    service.behave = (response) => problem(response, status, code);
    const error: unknown = await client()
      .notarize(NOTE)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotaryProblem);
    expect(error).toMatchObject({
      status,
      code,
      detail: `refused as ${code}`,
      suggestion: 'Do something else.',
      retryable: false,
      requestId: 'r-1',
      attempts: 1,
    });
    expect(service.seen).toHaveLength(1);
  });

  it('ends after the attempts there are, with the last answer', async () => {
    service.behave = (response) => problem(response, 503, 'SERVICE_UNAVAILABLE');
    await expect(client({ retry: { baseMs: 1, attempts: 3 } }).whoami()).rejects.toMatchObject({
      name: 'NotaryProblem',
      status: 503,
      attempts: 3,
      retryable: true,
    });
    service.behave = (response) => void response.destroy();
    const error: unknown = await client({ retry: { baseMs: 1, attempts: 2 } })
      .whoami()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotaryUnreachable);
    expect(error).toMatchObject({ attempts: 2 });
    expect(service.seen).toHaveLength(5);
  });

  it('is not sent again where twice is not once: a PATCH without an answer, and a token', async () => {
    service.behave = (response) => void response.destroy();
    await expect(client().orgs.update('o', { settings: {} })).rejects.toBeInstanceOf(
      NotaryUnreachable,
    );
    const body = { oidcToken: 't', publicKeyJwk: {}, proofOfPossession: 'p' };
    await expect(client().request('post', '/v1/auth/oidc/cert', { body })).rejects.toBeInstanceOf(
      NotaryUnreachable,
    );
    expect(service.seen.map(({ method }) => method)).toEqual(['PATCH', 'POST']);
    expect(keys()).toEqual([undefined, undefined]);
  });

  it('a PATCH that was refused with 429 was not done, and is sent again', async () => {
    failing(1, (response) => problem(response, 429, 'RATE_LIMITED', { 'retry-after': '0' }));
    await client().orgs.update('o', { settings: {} });
    expect(service.seen).toHaveLength(2);
  });

  it('keeps the key that the caller gives', async () => {
    failing(1, (response) => response.destroy());
    await client().notarize(NOTE, { idempotencyKey: 'mine' });
    expect(keys()).toEqual(['mine', 'mine']);
  });
});

describe('the time of a call', () => {
  it('an attempt that hangs is given up, and another made', async () => {
    service.behave = (response, count) =>
      count === 1 ? undefined : json(response, 201, { id: 'r' });
    expect(await client({ attemptTimeoutMs: 300 }).notarize(NOTE)).toEqual({ id: 'r' });
    expect(service.seen.length).toBeGreaterThan(1);
  });

  it('is at an end for all attempts and waits together', async () => {
    service.behave = (response) =>
      problem(response, 503, 'SERVICE_UNAVAILABLE', { 'retry-after': '3600' });
    const started = performance.now();
    await expect(client().notarize(NOTE)).rejects.toMatchObject({ retryAfterMs: 3_600_000 });
    expect(service.seen).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(30_000);
    service.behave = () => undefined;
    await expect(client().notarize(NOTE, { timeoutMs: 200 })).rejects.toThrow(
      /nothing came within 200 ms/,
    );
  });

  it('waits as long as Retry-After says', async () => {
    failing(1, (response) => problem(response, 503, 'SERVICE_UNAVAILABLE', { 'retry-after': '1' }));
    const started = performance.now();
    await client().whoami();
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
  });

  it("ends with the caller's signal, with its reason: before, on the way and in a wait", async () => {
    const reason = new Error('not needed any more');
    await expect(client().whoami({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(service.seen).toHaveLength(0);
    const during = new AbortController();
    service.behave = () => during.abort(reason);
    await expect(client().notarize(NOTE, { signal: during.signal })).rejects.toBe(reason);
    const later = new AbortController();
    service.behave = (response) => {
      problem(response, 503, 'SERVICE_UNAVAILABLE', { 'retry-after': '30' });
      setTimeout(() => later.abort(reason), 50);
    };
    await expect(client().notarize(NOTE, { signal: later.signal })).rejects.toBe(reason);
    expect(service.seen).toHaveLength(2);
  });
});

describe('the wait between attempts', () => {
  const policy = { attempts: 9, baseMs: 100, maxMs: 1_000, random: () => 0.5 };

  it('is chance up to what doubles with each, and at most the largest', () => {
    expect([1, 2, 3, 4, 5, 9].map((attempt) => waitMs(policy, attempt, null))).toEqual([
      50, 100, 200, 400, 500, 500,
    ]);
    expect(waitMs({ ...policy, random: () => 0 }, 3, null)).toBe(0);
  });

  it('comes on top of what the service asks for', () => {
    expect(waitMs(policy, 1, 3_000)).toBe(3_050);
  });

  it.each<[string, number | null]>([
    ['7', 7_000],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Thu, 01 Jan 2026 00:00:00 GMT', 0],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['-1', null],
    ['1.5', null],
    ['soon', null],
    ['', null],
  ])('reads Retry-After: %s', (value, ms) => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    expect(retryAfterMs(new Headers({ 'retry-after': value }), now)).toBe(ms);
  });
});

describe('where a call goes', () => {
  it('follows no redirect, for it would take the credential along', async () => {
    const other = await FlakyService.open();
    service.behave = (response) =>
      void response.writeHead(307, { location: `${other.url}/v1/auth/me` }).end();
    await expect(client().whoami()).rejects.toMatchObject({ status: 307, code: null });
    expect(other.seen).toHaveLength(0);
    await other.stop();
  });

  it('is under the base address, whatever an id says', async () => {
    service.behave = (response) => json(response, 200, { id: 'r' });
    const below = client({ url: `${service.url}/notary/` });
    await below.records.get('../admin/orgs?x=1#y');
    expect(service.seen[0]!.path).toBe('/notary/v1/records/..%2Fadmin%2Forgs%3Fx%3D1%23y');
    const step = { action: 'x', method: 'POST', description: 'x' } as const;
    for (const href of ['@other.example/', 'https://other.example/', '.other.example'])
      await expect(client().follow({ ...step, href })).rejects.toBeInstanceOf(TypeError);
    expect(service.seen).toHaveLength(1);
    for (const id of ['', '.', '..'])
      await expect(below.records.get(id)).rejects.toBeInstanceOf(TypeError);
  });

  it('refuses an address that is none of a service', () => {
    for (const url of [
      'nothing',
      'ftp://a.example',
      'https://a.example/?x=1',
      'https://u:p@a.example',
    ])
      expect(() => new NotaryClient({ url })).toThrow(TypeError);
  });

  it('says so where something else answers', async () => {
    service.behave = (response) => response.end('<html>welcome</html>');
    await expect(client().whoami()).rejects.toThrow(/something other than the service/);
  });

  it('asks for the credential before each attempt, and throws what that throws', async () => {
    failing(1, (response) => response.destroy());
    let asked = 0;
    await client({ credential: async () => `key-${++asked}` }).notarize(NOTE);
    expect(service.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer key-1',
      'Bearer key-2',
    ]);
    const lost = new Error('no key');
    await expect(client({ credential: () => Promise.reject(lost) }).whoami()).rejects.toBe(lost);
    expect(service.seen).toHaveLength(2);
  });
});
