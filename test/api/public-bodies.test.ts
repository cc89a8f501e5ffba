import { describe, expect, it } from 'vitest';
import { BINDINGS } from '../../adapters/rest/bindings.ts';
import { useApi } from '../support/service/api.ts';

/** Anybody may send a body where no credential is asked for, and nobody answers for it: such bodies are small. */
const api = useApi();
const MOST = 65_536;
const openRoutes = BINDINGS.filter(
  ({ body, operation, fixed = {} }) => body && operation.access(fixed) === 'public',
).map(({ options: { method, path } }) => [method, path] as const);

const bodyOf = (bytes: number): Uint8Array =>
  new TextEncoder().encode(`{"idToken":"${'a'.repeat(bytes - 14)}"}`);
const inChunks = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 8_192)
        controller.enqueue(bytes.subarray(at, at + 8_192));
      controller.close();
    },
  });
const send = (
  method: string,
  path: string,
  body: Uint8Array | ReadableStream<Uint8Array>,
): Promise<Response> =>
  fetch(`${api.world.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body,
    duplex: 'half',
  });

it('there are routes that take a body from anybody', () => {
  expect(openRoutes).toContainEqual(['POST', '/v1/auth/oidc/cert']);
});

describe.each(openRoutes)('%s %s', (method, path) => {
  it.each([
    ['announced', (bytes: Uint8Array) => bytes],
    ['in chunks', inChunks],
  ])('413 beyond 64 KiB, %s, which says what is taken', async (_how, as) => {
    const response = await send(method, path, as(bodyOf(MOST + 1)));
    expect(response.status).toBe(413);
    const problem = (await response.json()) as { detail: string; suggestion: string };
    expect(problem.detail).toContain(String(MOST));
    expect(problem.suggestion).toContain('smaller');
  });

  it('64 KiB are read', async () => {
    expect((await send(method, path, bodyOf(MOST))).status).not.toBe(413);
  });
});
