import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem, HEX_256, TIMESTAMP } from '../support/stories/problems.ts';
import { createWorld, ok, type Body, type Client, type World } from '../support/service/world.ts';

const api = useApi();
let globex: World;
let names = 0;
beforeAll(async () => {
  globex = await createWorld(api.world.url, String(api.world.platform.key), 'Globex');
});

const fresh = (): string => `type-${String.fromCharCode(97 + (names % 26))}${names++}`;
const register = (manifest: unknown, client: Client = api.world.admin) =>
  client.post('/v1/schemas', manifest);
const gated = (extra: Body = {}): Body => ({
  type: fresh(),
  completionSchema: { type: 'object', properties: { score: { type: 'integer' } } },
  ...extra,
});
const registered = (extra: Body = {}): Promise<Body> => ok(register(gated(extra)));

describe('POST /v1/schemas', () => {
  it('201: the manifest with its defaults, digest, status and signed statement, and a Location that can be read', async () => {
    const type = fresh();
    const { status, body, headers } = await register({
      type,
      completionSchema: { type: 'object' },
      title: 'T',
      description: 'D',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      type,
      publisher: 'acme',
      version: 1,
      title: 'T',
      description: 'D',
      criteriaSchema: { type: 'object' },
      completionSchema: { type: 'object' },
      gateMode: 'principal',
      operatingMode: 'cleartext',
      cascade: { rule: 'none' },
      compatibilityMode: 'backward',
      maxDelegationDepth: 5,
      maxDisputes: 1,
      maxRevisions: 3,
      verdictWindowSeconds: 604_800,
      disputeWindowSeconds: 604_800,
      evidenceWindowSeconds: 259_200,
      public: false,
      status: 'active',
      orgId: api.world.orgId,
      registeredAt: expect.stringMatching(TIMESTAMP),
      managedBy: null,
      manifestDigest: expect.stringMatching(HEX_256),
      signedStatement: { chainKey: `schema:${api.world.orgId}`, entryType: 'SCHEMA_REGISTERED' },
    });
    expect(Object.keys(body)).toEqual(
      expect.arrayContaining(['registeredBy', 'schemaUrls', 'suggestion', 'nextSteps']),
    );
    const { signedStatement: seal } = body;
    expect(seal.hash).toBe(
      createHash('sha256').update(Buffer.from(seal.coseSign1, 'base64')).digest('hex'),
    );
    expect((await ok(api.world.admin.get(String(headers.get('location')))))['manifestDigest']).toBe(
      body['manifestDigest'],
    );
  });

  it('each registration extends the chain of the org', async () => {
    const first = await registered();
    const second = await registered();
    expect(second['signedStatement']).toMatchObject({
      position: first['signedStatement'].position + 1,
      previousHash: first['signedStatement'].hash,
    });
  });

  it('200: the same manifest again is the stored row, without a new entry', async () => {
    const manifest = gated({ version: 1 });
    const first = await register(manifest);
    const again = await register(manifest);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toMatchObject({
      manifestDigest: first.body['manifestDigest'],
      registeredAt: first.body['registeredAt'],
      signedStatement: first.body['signedStatement'],
    });
    for (const client of [api.world.admin, api.world.principal.client])
      expect(
        await ok(client.get(`/v1/schemas/${String(first.body['type'])}?version=1`)),
      ).toMatchObject({ signedStatement: first.body['signedStatement'] });
    expect((await registered())['signedStatement'].position).toBe(
      first.body['signedStatement'].position + 1,
    );
  });

  it('409 CONFLICTING_VERSION with both digests: another manifest under the same key', async () => {
    const manifest = gated({ version: 1 });
    const { manifestDigest } = await ok(register(manifest));
    const problem = expectProblem(
      await register({ ...manifest, title: 'Other' }),
      409,
      'CONFLICTING_VERSION',
      { reason: 'CONFLICTING_VERSION', type: '/problems/conflict', existingDigest: manifestDigest },
    );
    expect(problem['incomingDigest']).toMatch(HEX_256);
    expect(problem['incomingDigest']).not.toBe(manifestDigest);
  });

  it('409 CONFLICTING_VERSION: one of two different manifests registered at once', async () => {
    const type = fresh();
    const statuses = (
      await Promise.all(
        ['A', 'B', 'C'].map((title) => register({ type, version: 1, completionSchema: {}, title })),
      )
    )
      .map((answer) => answer.status)
      .sort();
    expect(statuses).toEqual([201, 409, 409]);
  });

  it.each(['service', 'platform', 'system', 'internal'])(
    '409 RESERVED_PUBLISHER_LABEL: %s',
    async (publisher) => {
      expectProblem(await register(gated({ publisher })), 409, 'RESERVED_PUBLISHER_LABEL', {
        reason: 'RESERVED_PUBLISHER_LABEL',
      });
    },
  );

  it('409 RESERVED_PUBLISHER_LABEL: the slug or the label of another org', async () => {
    expectProblem(await register(gated({ publisher: 'globex' })), 409, 'RESERVED_PUBLISHER_LABEL');
    await ok(register(gated({ publisher: 'acme-research' })));
    expectProblem(
      await register(gated({ publisher: 'acme-research' }), globex.admin),
      409,
      'RESERVED_PUBLISHER_LABEL',
    );
  });

  it('a version defaults to the newest plus one', async () => {
    const { type } = await registered();
    expect((await registered({ type, title: 'second' }))['version']).toBe(2);
    expect((await registered({ type, title: 'tenth', version: 10 }))['version']).toBe(10);
    expect((await registered({ type, title: 'eleventh' }))['version']).toBe(11);
  });

  it('the digest does not depend on the order of members', async () => {
    const type = fresh();
    const one = await ok(
      register(`{"type":"${type}","version":1,"completionSchema":{},"title":"x"}`),
    );
    const two = await register(`{"title":"x","completionSchema":{},"version":1,"type":"${type}"}`);
    expect({ status: two.status, digest: two.body['manifestDigest'] }).toEqual({
      status: 200,
      digest: one['manifestDigest'],
    });
  });

  describe('compatibility', () => {
    const schema = (extra: Body): Body => ({
      type: 'object',
      properties: { a: { type: 'string' } },
      ...extra,
    });
    it.each<[string, Body]>([
      ['a new required member', schema({ required: ['a'] })],
      ['a narrowed type', schema({ properties: { a: { type: 'string', maxLength: 3 } } })],
      ['a narrowed enum', schema({ properties: { a: { enum: ['x'] } } })],
      ['a closed object', schema({ additionalProperties: false })],
    ])('422 with a pointer: %s breaks backward', async (_case, completionSchema) => {
      const { type } = await registered({ completionSchema: schema({}) });
      const { errors } = expectProblem(
        await register({ type, completionSchema }),
        422,
        'VALIDATION_ERROR',
        { type: '/problems/validation-error' },
      );
      expect(errors[0].path).toMatch(/^\/completionSchema/);
    });
    it('a wider one is taken, and so is anything under none', async () => {
      const { type } = await registered({ completionSchema: schema({ required: ['a'] }) });
      expect((await register({ type, completionSchema: schema({}) })).status).toBe(201);
      expect(
        (
          await register({
            type,
            completionSchema: schema({ required: ['b'] }),
            compatibilityMode: 'none',
          })
        ).status,
      ).toBe(201);
    });
    it('422: forward is the reverse, full is both', async () => {
      const { type } = await registered({ completionSchema: schema({ required: ['a'] }) });
      expectProblem(
        await register({ type, compatibilityMode: 'forward', completionSchema: schema({}) }),
        422,
        'VALIDATION_ERROR',
      );
      expectProblem(
        await register({ type, compatibilityMode: 'full', completionSchema: schema({}) }),
        422,
        'VALIDATION_ERROR',
      );
    });
  });

  it.each<[string, Body]>([
    ['no completionSchema', { completionSchema: undefined }],
    ['a type in capitals', { type: 'Note' }],
    ['a type with a space', { type: 'a b' }],
    ['a type of 97 characters', { type: 'a'.repeat(97) }],
    ['an unknown member', { gaits: [] }],
    ['a version of 0', { version: 0 }],
    ['an unknown gateMode', { gateMode: 'manual' }],
    ['a gate without an expression', { gates: [{ id: 'a', description: 'd' }] }],
    ['a publisher with a slash', { publisher: 'a/b' }],
    ['a negative limit', { maxRevisions: -1 }],
    ['more than 100 revisions', { maxRevisions: 101 }],
    ['more than 10 disputes', { maxDisputes: 11 }],
  ])('400: %s', async (_case, extra) => {
    expectProblem(await register(gated(extra)), 400, 'VALIDATION_ERROR');
  });

  it.each<[string, unknown]>([
    [
      'an expression over 4 KiB',
      [{ id: 'g', description: 'd', expression: `true || "${'x'.repeat(4096)}" == ""` }],
    ],
    [
      '65 gates',
      Array.from({ length: 65 }, (_, index) => ({
        id: `g${index}`,
        description: 'd',
        expression: 'true',
      })),
    ],
  ])('refused: %s', async (_case, gates) => {
    const { status, body } = await register(gated({ gates }));
    expect({ refused: [400, 422].includes(status), code: body['code'] }).toEqual({
      refused: true,
      code: 'VALIDATION_ERROR',
    });
  });

  it.each(['export', 'import'])('refused: the reserved name %s', async (type) => {
    const { status, body } = await register(gated({ type }));
    expect({ refused: [400, 409, 422].includes(status), status, code: body['code'] }).toMatchObject(
      { refused: true },
    );
  });

  it.each<[string, Body]>([
    [
      'a notarize-only type with gates',
      { completionSchema: {}, gates: [{ id: 'g', description: 'd', expression: 'true' }] },
    ],
    [
      'a notarize-only type with a cascade',
      { completionSchema: {}, cascade: { rule: 'all-fulfilled' } },
    ],
    ['the encrypted mode decided by gates', { operatingMode: 'encrypted', gateMode: 'auto' }],
    ['a schema that is none', { completionSchema: { type: 'objekt' } }],
    ['a schema with an unknown keyword', { completionSchema: { type: 'object', propertees: {} } }],
    ['a remote $ref', { completionSchema: { $ref: 'https://example.org/schema.json' } }],
    [
      'a remote $ref in the criteria',
      {
        criteriaSchema: { type: 'object', properties: { a: { $ref: 'http://169.254.169.254/x' } } },
      },
    ],
    ['a $ref to nowhere', { completionSchema: { $ref: '#/$defs/none' } }],
    [
      'an expression that does not parse',
      { gates: [{ id: 'g', description: 'd', expression: 'evidence.score >=' }] },
    ],
    [
      'an expression that is no boolean',
      { gates: [{ id: 'g', description: 'd', expression: '1 + 1' }] },
    ],
    [
      'an expression of an unknown name',
      { gates: [{ id: 'g', description: 'd', expression: 'process.exit()' }] },
    ],
    [
      'two gates of one id',
      { gates: [1, 2].map(() => ({ id: 'g', description: 'd', expression: 'true' })) },
    ],
    [
      'comprehensions nested three deep',
      {
        gates: [
          {
            id: 'g',
            description: 'd',
            expression: '[1].all(a, [1].all(b, [1].all(c, a == b && b == c)))',
          },
        ],
      },
    ],
    ['an example that does not validate', { exampleEvidence: { score: 'high' } }],
    [
      'uniqueItems over objects without a bound',
      {
        completionSchema: {
          type: 'object',
          properties: { a: { type: 'array', uniqueItems: true, items: { type: 'object' } } },
        },
      },
    ],
    [
      'a schema nested 40 deep',
      {
        completionSchema: JSON.parse(
          '{"type":"object","properties":{"a":'.repeat(20) + '{}' + '}}'.repeat(20),
        ) as Body,
      },
    ],
    [
      'a schema over 256 KiB',
      { completionSchema: { type: 'object', description: 'x'.repeat(262_145) } },
    ],
    [
      'a $ref that multiplies beyond 10,000 expansions',
      {
        completionSchema: {
          type: 'object',
          properties: { a: { $ref: '#/$defs/d0' } },
          $defs: Object.fromEntries([
            ...Array.from({ length: 14 }, (_, at) => [
              `d${at}`,
              { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
            ]),
            ['d14', { type: 'object' }],
          ]) as Body,
        },
      },
    ],
  ])('422: %s', async (_case, extra) => {
    const { status, body } = await register(gated(extra));
    expect({ status, code: body['code'] }).toEqual({ status: 422, code: 'VALIDATION_ERROR' });
  });

  it('422: what is wrong with a gate and with criteria is said in words, with the place', async () => {
    const problem = expectProblem(
      await register(
        gated({
          criteriaSchema: { type: 'object', properties: { a: false }, required: ['a'] },
          gates: [
            { id: 'ok', description: 'd', expression: 'evidence.score > 1' },
            { id: 'rate', description: 'd', expression: '1 / evidence.score > 0' },
            { id: 'open', description: 'd', expression: 'evidence.score >\n  (1' },
          ],
        }),
      ),
      422,
      'VALIDATION_ERROR',
    );
    expect(problem['errors']).toEqual([
      {
        path: '/criteriaSchema/properties/a',
        keyword: 'unsatisfiable',
        message:
          'no object can satisfy this schema: it requires the member "a", and false accepts nothing',
      },
      {
        path: '/gates/1/expression',
        keyword: 'cel',
        message:
          'the gate "rate" cannot be used: / is not defined for int and double, and every number of JSON is a double; write 1.0 / evidence.score (line 1, column 3: 1 «/» evidence.score > 0)',
      },
      {
        path: '/gates/2/expression',
        keyword: 'cel',
        message: 'the gate "open" cannot be used: this ( is not closed (line 2, column 3:   «(»1)',
      },
    ]);
  });

  it('a pattern that could backtrack for ever neither stalls the registration nor the check', async () => {
    const answer = await register(
      gated({
        completionSchema: {
          type: 'object',
          properties: { text: { type: 'string', pattern: '^(a+)+$' } },
        },
      }),
    );
    expect([201, 422]).toContain(answer.status);
    if (answer.status === 201) {
      const { id } = await ok(
        api.world.principal.client.post('/v1/records', {
          type: answer.body['type'],
          criteria: {},
          autoActivate: true,
        }),
      );
      const start = performance.now();
      expectProblem(
        await api.world.principal.client.post(`/v1/records/${id}/completions`, {
          evidence: { text: `${'a'.repeat(50_000)}!` },
        }),
        422,
        'SCHEMA_VALIDATION_ERROR',
      );
      // Backtracking over 50,000 letters would take years.
      expect(performance.now() - start).toBeLessThan(30_000);
    }
  });

  it('a comprehension over more than 300 elements is a sealed fail that says so', async () => {
    const { type } = await registered({
      completionSchema: {
        type: 'object',
        properties: { list: { type: 'array', items: { type: 'integer' } } },
      },
      gates: [{ id: 'g', description: 'd', expression: 'evidence.list.all(x, x > 0)' }],
    });
    const submit = async (length: number): Promise<Body> => {
      const { id } = await ok(
        api.world.principal.client.post('/v1/records', { type, criteria: {}, autoActivate: true }),
      );
      return (
        await ok(
          api.world.principal.client.post(`/v1/records/${id}/completions`, {
            evidence: { list: Array.from({ length }, () => 1) },
          }),
        )
      )['gate'].results[0] as Body;
    };
    expect((await submit(300))['outcome']).toBe('pass');
    const over = await submit(301);
    expect(over['outcome']).not.toBe('pass');
    expect(over['detail']).toMatch(/300/);
  });

  it('exampleCriteria and exampleEvidence become the examplePayload of a refusal', async () => {
    const { type } = await registered({
      criteriaSchema: {
        type: 'object',
        required: ['goal'],
        properties: { goal: { type: 'string' } },
      },
      exampleCriteria: { goal: 'tidy up' },
    });
    expectProblem(
      await api.world.principal.client.post('/v1/records', { type, criteria: {} }),
      422,
      'SCHEMA_VALIDATION_ERROR',
      { examplePayload: { goal: 'tidy up' } },
    );
  });

  it('money with multipleOf 0.01 is accepted to the cent, and the examplePayload of a refusal is sealed as 0.35', async () => {
    const { type } = await registered({
      criteriaSchema: {
        type: 'object',
        required: ['price', 'fee'],
        properties: {
          price: { type: 'number', multipleOf: 0.01 },
          fee: { type: 'number', minimum: 0.31, multipleOf: 0.05 },
        },
      },
    });
    const create = (criteria: unknown) =>
      api.world.principal.client.post('/v1/records', { type, criteria });
    for (const price of [19.99, 4.02, 0.07, 600.03])
      expect((await create({ price, fee: 0.35 })).status).toBe(201);
    const { examplePayload } = expectProblem(
      await create({ price: 19.995, fee: 0.35000000000000003 }),
      422,
      'SCHEMA_VALIDATION_ERROR',
    );
    expect(examplePayload).toEqual({ price: 1, fee: 0.35 });
    const { criteria } = await ok(create(examplePayload));
    expect(JSON.stringify(criteria)).toContain('"fee":0.35}');
  });

  it('403 INSUFFICIENT_SCOPE: an agent', async () => {
    expectProblem(await register(gated(), api.world.principal.client), 403, 'INSUFFICIENT_SCOPE', {
      missingScopes: ['schemas:admin'],
    });
  });

  it('403 ORG_REQUIRED: a platform key without ?orgId=; 201 with it', async () => {
    expectProblem(await register(gated(), api.world.platform), 403, 'ORG_REQUIRED');
    const { status, body } = await api.world.platform.post(
      `/v1/schemas?orgId=${globex.orgId}`,
      gated(),
    );
    expect({ status, orgId: body['orgId'], publisher: body['publisher'] }).toEqual({
      status: 201,
      orgId: globex.orgId,
      publisher: 'globex',
    });
  });

  it('404: an admin with the orgId of another org, exactly as of none', async () => {
    expectProblem(
      await api.world.admin.post(`/v1/schemas?orgId=${globex.orgId}`, gated()),
      404,
      'NOT_FOUND',
    );
  });
});

describe('GET /v1/schemas/{type}', () => {
  it('200: the newest active version, or the one asked for', async () => {
    const first = await registered();
    await registered({ type: first['type'], title: 'second' });
    const { client } = api.world.principal;
    expect(await ok(client.get(`/v1/schemas/${first['type']}`))).toMatchObject({
      version: 2,
      title: 'second',
    });
    expect(
      await ok(client.get(`/v1/schemas/${first['type']}?version=1&publisher=acme`)),
    ).toMatchObject({ version: 1, manifestDigest: first['manifestDigest'] });
  });

  it('404: an unknown type, version or publisher, and the type of another org', async () => {
    await ok(register({ type: 'globex-only', completionSchema: {} }, globex.admin));
    for (const path of ['nope', 'job?version=99', 'job?publisher=nobody', 'globex-only'])
      expectProblem(await api.world.principal.client.get(`/v1/schemas/${path}`), 404, 'NOT_FOUND');
  });

  it('a party of another org reads the manifest that its record pins', async () => {
    const { id } = await ok(
      api.world.principal.client.post('/v1/records', {
        type: 'job',
        criteria: { goal: 'g' },
        performerAgentId: globex.performer.id,
      }),
    );
    const { body } = await globex.performer.client.post(`/v1/records/${id}/accept`);
    expect(body['status']).toBe('ACTIVE');
    expect(
      await ok(globex.performer.client.get('/v1/schemas/job?publisher=acme&version=1')),
    ).toMatchObject({ orgId: api.world.orgId, publisher: 'acme' });
    expectProblem(
      await globex.principal.client.get('/v1/schemas/job?publisher=acme&version=1'),
      404,
      'NOT_FOUND',
    );
  });

  it('422 ambiguous-publisher with publishers[], until one is pinned', async () => {
    const { type } = await registered();
    await registered({ type, publisher: 'acme-second' });
    const { publishers } = expectProblem(
      await api.world.admin.get(`/v1/schemas/${type}`),
      422,
      'AMBIGUOUS_PUBLISHER',
      { type: '/problems/ambiguous-publisher' },
    );
    expect([...publishers].sort()).toEqual(['acme', 'acme-second']);
    expect(
      (await ok(api.world.admin.get(`/v1/schemas/${type}?publisher=acme-second`)))['publisher'],
    ).toBe('acme-second');
  });

  it('400: a name or a version that cannot be', async () => {
    for (const path of ['NOPE', 'job?version=0', 'job?version=x', 'job?versoin=1'])
      expectProblem(await api.world.admin.get(`/v1/schemas/${path}`), 400, 'VALIDATION_ERROR');
  });
});

describe('GET /v1/schemas', () => {
  it('200: a page of the org, newest first, by type, publisher and status', async () => {
    const { type } = await registered();
    await registered({ type, title: 'second' });
    const rows = async (query: string, client: Client = api.world.admin): Promise<Body[]> =>
      (await ok(client.get(`/v1/schemas?${query}`)))['data'] as Body[];
    expect((await rows(`type=${type}`)).map((row) => row['version'])).toEqual([2, 1]);
    expect(await rows('publisher=nobody')).toEqual([]);
    expect(await rows('status=disabled')).toEqual([]);
    expect(
      (await rows('status=active&limit=200')).every((row) => row['orgId'] === api.world.orgId),
    ).toBe(true);
    expect(
      (await rows('limit=200', globex.admin)).every((row) => row['orgId'] === globex.orgId),
    ).toBe(true);
    const everywhere = await rows('limit=200', api.world.platform);
    expect(new Set(everywhere.map((row) => row['orgId']))).toEqual(
      new Set([api.world.orgId, globex.orgId]),
    );
    expect(
      new Set(
        (await rows(`limit=200&orgId=${globex.orgId}`, api.world.platform)).map(
          (row) => row['orgId'],
        ),
      ),
    ).toEqual(new Set([globex.orgId]));
  });

  it('a walk by cursor meets each version once', async () => {
    const { total } = await ok(api.world.admin.get('/v1/schemas?limit=1'));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Body = await ok(
        api.world.admin.get(
          `/v1/schemas?limit=5${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
        ),
      );
      seen.push(
        ...(page['data'] as Body[]).map(
          (row) => `${row['publisher']}/${row['type']}/${row['version']}`,
        ),
      );
      cursor = page['nextCursor'];
    } while (cursor);
    expect({ seen: seen.length, different: new Set(seen).size }).toEqual({
      seen: total,
      different: total,
    });
  });
});
