import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem } from '../support/stories/problems.ts';
import { ok, type Body } from '../support/service/world.ts';

const api = useApi();
const get = (path: string): Promise<Body> => ok(api.world.anonymous.get(path));
const KINDS = [
  'record-state',
  'settlement-signal',
  'vault-checkpoint',
  'schema-event',
  'tenant-read',
  'counter-attestation',
  'federation-projection',
];

describe('/predicates', () => {
  it('200: lists the seven kinds', async () => {
    const text = JSON.stringify(await get('/predicates'));
    for (const kind of KINDS) expect(text).toContain(`/predicates/${kind}/v1`);
    expect((await get('/predicates'))['data']).toHaveLength(7);
  });

  it.each(KINDS)(
    '200: %s is a valid JSON Schema 2020-12 that knows its own members alone',
    async (kind) => {
      const schema = await get(`/predicates/${kind}/v1`);
      expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
      const ajv = new Ajv2020({ strict: false, validateFormats: false });
      expect(ajv.validateSchema(schema)).toBe(true);
      expect(ajv.compile(schema)({})).toBe(false);
    },
  );

  it.each([
    '/predicates/nothing/v1',
    '/predicates/toString/v1',
    '/predicates/__proto__/v1',
    '/predicates/record-state/v2',
    '/predicates/constructor/v1',
  ])('404: %s', async (path) => {
    expectProblem(await api.world.anonymous.get(path), 404, 'NOT_FOUND');
  });
});

describe('the page of a path with a slash at its end', () => {
  const follow = (path: string) => fetch(`${api.world.url}${path}`, { redirect: 'manual' });

  it.each([
    ['/docs/', '/docs'],
    ['/docs/?a=b', '/docs?a=b'],
    ['/console/', '/console'],
    ['/docs/guides/a2a/', '/docs/guides/a2a'],
  ])('%s is at %s', async (path, page) => {
    const answer = await follow(path);
    expect([answer.status, answer.headers.get('location')]).toEqual([308, page]);
  });

  it.each(['/v1/records/', '/docs/nothing/', '/livez/', '//example.com/docs/'])(
    '%s is found nowhere',
    async (path) => {
      expect((await follow(path)).status).toBe(404);
    },
  );
});

describe('/v1/scope-profiles', () => {
  it('200 without a credential: each profile with its role and scopes', async () => {
    const rows = (await get('/v1/scope-profiles'))['data'] as Body[];
    const shown = Object.fromEntries(
      rows.map((row) => [row['name'], [row['role'], [...row['scopes']].sort()]]),
    ) as Body;
    expect(Object.keys(shown).sort()).toEqual([
      'admin-observer',
      'admin-schemas',
      'admin-standard',
      'agent-full',
      'agent-notarize',
      'agent-performer',
      'agent-readonly',
      'platform-full',
      'platform-operator',
      'witness',
    ]);
    expect(shown['agent-full']).toEqual([
      'agent',
      [
        'agents:read',
        'audit:read',
        'completions:write',
        'disputes:write',
        'events:read',
        'records:write',
        'reputation:read',
        'schemas:read',
        'webhooks:write',
      ],
    ]);
    expect(shown['agent-notarize'][1]).toEqual(['audit:read', 'records:write', 'schemas:read']);
    expect(shown['agent-performer'][1]).toEqual([
      'completions:write',
      'disputes:write',
      'records:read',
      'reputation:read',
      'schemas:read',
    ]);
    expect(shown['agent-readonly'][1]).toEqual([
      'audit:read',
      'completions:read',
      'events:read',
      'records:read',
      'schemas:read',
    ]);
    expect(shown['admin-schemas'][1]).toEqual(['records:read', 'schemas:admin']);
    expect(shown['admin-standard'][1]).toEqual(
      expect.arrayContaining(['admin:keys', 'schemas:admin', 'records:manage']),
    );
    expect(shown['admin-standard'][1]).not.toContain('admin:system');
    expect(shown['witness'][1]).toEqual(['audit:read', 'audit:write']);
    expect(shown['platform-operator'][1]).toEqual([
      'admin:keys',
      'admin:system',
      'audit:read',
      'compliance:read',
      'events:read',
    ]);
    expect(shown['admin-observer'][1].every((scope: string) => scope.endsWith(':read'))).toBe(true);
  });
});

describe('/lifecycle', () => {
  it('200 for any valid credential: eleven states, and the rows of the table', async () => {
    const { states, transitions } = await ok(api.world.principal.client.get('/lifecycle'));
    expect((states as Body[]).map((state) => state['name']).sort()).toEqual([
      'ACTIVE',
      'CANCELLED',
      'CREATED',
      'EXPIRED',
      'FAILED',
      'FULFILLED',
      'PROPOSED',
      'RECORDED',
      'REJECTED',
      'REMEDIATED',
      'REVISION_REQUESTED',
    ]);
    const actions = new Set((transitions as Body[]).map((row) => row['action']));
    for (const action of [
      'create',
      'propose',
      'activate',
      'accept',
      'accept-counter',
      'reject',
      'counter-propose',
      'submit-completion',
      'render-verdict',
      'revision',
      'evaluate',
      'verify-cascade',
      'delegate',
      'cancel',
      'expire',
    ])
      expect(actions).toContain(action);
  });
  it('401 without one', async () => {
    expectProblem(await api.world.anonymous.get('/lifecycle'), 401, 'UNAUTHORIZED');
  });
});

describe('probes', () => {
  it('/livez, /readyz, /health and /status answer without a credential', async () => {
    expect(await get('/livez')).toMatchObject({
      status: expect.any(String),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    expect(await get('/readyz')).toHaveProperty('checks');
    expect(await get('/health')).toMatchObject({
      status: 'ok',
      version: expect.any(String),
      uptime: expect.any(Number),
    });
    const status = await get('/status');
    expect(status['status']).toBe('operational');
    expect((status['components'] as Body[]).map((component) => component['name'])).toEqual([
      'API',
      'Database',
      'Chain writes',
      'Workers',
    ]);
  });
});

describe('/docs/openapi.json', () => {
  it('200: a valid OpenAPI 3.1 document of version 1.4.0', async () => {
    const document = await get('/docs/openapi.json');
    expect(document['openapi']).toMatch(/^3\.1\./);
    expect(document['info'].version).toBe('1.4.0');
    expect(await new Validator().validate(structuredClone(document))).toMatchObject({
      valid: true,
    });
  });

  it('names every route of the contract, each with an id, a summary and its problems', async () => {
    const { paths } = await get('/docs/openapi.json');
    for (const route of [
      'POST /v1/records',
      'GET /v1/records',
      'POST /v1/records/bulk',
      'GET /v1/records/{id}',
      'POST /v1/records/{id}/completions',
      'GET /v1/records/{id}/completions/{completionId}',
      'POST /v1/records/{id}/verdict',
      'GET /v1/records/{id}/gate-status',
      'POST /v1/records/{id}/transition',
      'POST /v1/records/{id}/accept',
      'POST /v1/records/{id}/reject',
      'POST /v1/records/{id}/cancel',
      'POST /v1/records/{id}/revision',
      'POST /v1/records/{id}/references',
      'GET /v1/records/{recordId}/audit-export',
      'POST /v1/schemas',
      'GET /v1/schemas',
      'GET /v1/schemas/{type}',
      'GET /v1/agents/{agentId}',
      'POST /v1/admin/orgs',
      'GET /v1/admin/orgs',
      'POST /v1/admin/agents',
      'GET /v1/admin/agents',
      'POST /v1/admin/api-keys',
      'GET /v1/admin/api-keys',
      'PATCH /v1/admin/api-keys/{keyId}',
      'GET /v1/auth/me',
      'POST /v1/auth/keys/rotate',
      'GET /v1/verification-keys',
      'GET /.well-known/service-vault-keys.json',
      'GET /predicates',
      'GET /predicates/{kind}/v1',
      'GET /v1/scope-profiles',
      'GET /lifecycle',
      'GET /health',
      'GET /livez',
      'GET /readyz',
      'GET /status',
      'GET /problems/{slug}',
    ]) {
      const [method, path] = route.split(' ') as [string, string];
      const operation = paths[path]?.[method.toLowerCase()];
      expect({ route, id: operation?.operationId, summary: operation?.summary }).toEqual({
        route,
        id: expect.any(String),
        summary: expect.any(String),
      });
    }
    const ids = Object.values(paths).flatMap((path) =>
      Object.values(path as Body).map((operation) => operation.operationId as string),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('its examples are taken by the service', async () => {
    const { paths } = await get('/docs/openapi.json');
    const { examples } = paths['/v1/schemas'].post.requestBody.content['application/json'];
    for (const { value } of Object.values<Body>(examples))
      expect((await api.world.admin.post('/v1/schemas', value)).status).toBeLessThan(300);
  });
});

it('the published lifecycle names the guard of an open dispute where it refuses first', async () => {
  const { guards, transitions } = await ok(api.world.principal.client.get('/lifecycle'));
  expect(guards).toContain('record_disputed');
  const guarded = (transitions as Body[]).filter((row) => row['guards'][0] === 'record_disputed');
  expect(guarded.map(({ action }) => action)).toEqual(['render-verdict', 'open-dispute']);
});

describe('a time in a query', () => {
  const at = '2026-01-01T02:00:00+02:00';

  it('may have the + of its offset unescaped, in every parameter', async () => {
    const { paths } = await get('/docs/openapi.json');
    const named = Object.entries(paths as Record<string, Body>).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, Body>).flatMap(([method, operation]) =>
        ((operation['parameters'] ?? []) as Body[])
          .filter(({ in: place, schema }) => place === 'query' && schema.format === 'date-time')
          .map(({ name }) => [method, path, String(name)] as const),
      ),
    );
    expect(named.length).toBeGreaterThan(5);
    for (const [method, path, name] of named) {
      const place = path.replace(/\{\w+\}/g, api.world.principal.id);
      const query = `${name}=${at}`;
      const { body } = await api.world.platform.call<Body>(
        method.toUpperCase(),
        `${place}?${query}`,
      );
      const errors = ((body as Body | null)?.['errors'] ?? []) as Body[];
      expect(
        errors.map((error) => error['path']),
        `${path} ${name}`,
      ).not.toContain(`/${name}`);
    }
  });

  it('means the same instant with and without the escape', async () => {
    const count = async (offset: string): Promise<unknown> =>
      (await ok(api.world.admin.get(`/v1/records?createdTo=2026-01-01T02:00:00${offset}`)))[
        'total'
      ];
    expect(await count('+02:00')).toBe(await count('%2B02:00'));
  });
});
