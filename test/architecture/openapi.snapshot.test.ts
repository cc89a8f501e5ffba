import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { differences, keptJson } from '../support/runner/kept-json.ts';
import { ok, type Body } from '../support/service/world.ts';

const FILE = 'test/architecture/openapi.snapshot.json';

const api = useApi();

/** The document as it is served, without what differs from one service to the next. */
const served = async (): Promise<Body> => {
  const document = await ok(api.world.anonymous.get('/docs/openapi.json'));
  document['info'].version = '<version>';
  return JSON.parse(JSON.stringify(document).replaceAll(api.world.url, '<base>')) as Body;
};

/** By operation, and the rest of the document by its part: a difference is named where its reader looks for it. */
const parts = (document: Body): ReadonlyMap<string, unknown> => {
  const { paths, ...rest } = document;
  const operations = Object.entries(paths as Body).flatMap(([path, methods]) =>
    Object.entries(methods as Body).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
  return new Map<string, unknown>([...operations, ...Object.entries(rest)]);
};

describe('the OpenAPI document that the service serves', () => {
  it('is the committed one; UPDATE_OPENAPI=1 writes it anew', async () => {
    const now = await served();
    const before = parts(keptJson(FILE, 'UPDATE_OPENAPI', now));
    const after = parts(now);
    const changed = [...new Set([...before.keys(), ...after.keys()])].flatMap((name) =>
      differences(before.get(name), after.get(name)).map((line) => `${name}: ${line}`),
    );
    expect(changed).toEqual([]);
    expect([...after.keys()], 'the order of the operations').toEqual([...before.keys()]);
  });

  it('is the same to the byte, in the order of its members too', async () => {
    const now = await served();
    expect(JSON.stringify(now) === JSON.stringify(keptJson(FILE, 'UPDATE_OPENAPI', now))).toBe(
      true,
    );
  });

  it('would show a change by its operation', () => {
    const [before, after] = [{ a: [1, { b: 'x' }] }, { a: [1, { b: 'y', c: null }] }];
    expect(differences(before, after)).toEqual([
      '/a/1/b was "x" and is "y"',
      '/a/1/c is new: null',
    ]);
    expect(differences(after, before)).toContain('/a/1/c is gone: null');
  });
});
