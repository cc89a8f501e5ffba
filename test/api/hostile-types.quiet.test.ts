import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { slowness } from '../support/service/event-loop-gap.ts';
import { ok, sleep, type Answer, type Body } from '../support/service/world.ts';

/** Record types made to harm: whoever may register one must not stall, crash or fool the service with it. */
const api = useApi();
/** What took less is within every bound. */
const WORTH_A_YARDSTICK_MS = 500;
let names = 0;
const register = (extra: Body): Promise<Answer<Body>> =>
  api.world.admin.post('/v1/schemas', {
    type: `hostile-${String.fromCharCode(97 + (names % 26))}${names++}`,
    criteriaSchema: { type: 'object' },
    ...extra,
  });

/** What a completion is answered, if the type is taken at all; and how long that took, in ms of the core of the bounds. */
const submit = async (
  registered: Answer<Body>,
  evidence: Body,
  criteria: Body = {},
): Promise<Answer<Body> & { ms: number }> => {
  const { id } = await ok(
    api.world.principal.client.post('/v1/records', {
      type: registered.body['type'],
      criteria,
      autoActivate: true,
    }),
  );
  const start = performance.now();
  const answer = await api.world.principal.client.post(`/v1/records/${id}/completions`, {
    evidence,
  });
  const ms = performance.now() - start;
  return { ...answer, ms: ms < WORTH_A_YARDSTICK_MS ? ms : ms / slowness() };
};
const text = (extra: Body): Body => ({
  completionSchema: { type: 'object', properties: { text: { type: 'string', ...extra } } },
});
const LONG = `${'a'.repeat(100_000)}!`;

/** Refused with a 422 at registration, or harmless afterwards. */
const harmless = async (manifest: Body, evidence: Body): Promise<Answer<Body> | null> => {
  const registered = await register(manifest);
  expect([201, 422]).toContain(registered.status);
  if (registered.status === 422) return null;
  const answer = await submit(registered, evidence);
  expect({
    status: [201, 422].includes(answer.status),
    slow: answer.ms > 2000,
    body: answer.status < 500,
  }).toEqual({ status: true, slow: false, body: true });
  expect((await api.world.anonymous.get('/livez')).status).toBe(200);
  return answer;
};

describe('regular expressions run in linear time', () => {
  it.each<[string, Body]>([
    ['pattern', text({ pattern: '^(a+)+$' })],
    ['pattern with alternation', text({ pattern: '^(a|a)*$' })],
    [
      'patternProperties',
      {
        completionSchema: { type: 'object', patternProperties: { '^(a+)+$': { type: 'string' } } },
      },
    ],
    [
      'propertyNames',
      { completionSchema: { type: 'object', propertyNames: { pattern: '^(a+)+$' } } },
    ],
    [
      'matches() in a gate',
      {
        ...text({}),
        gates: [{ id: 'g', description: 'd', expression: 'evidence.text.matches("^(a+)+$")' }],
      },
    ],
    [
      'matches() with a pattern from the evidence',
      {
        ...text({}),
        gates: [
          { id: 'g', description: 'd', expression: 'evidence.text.matches("^(" + "a+" + ")+$")' },
        ],
      },
    ],
  ])('%s', async (_where, manifest) => {
    await harmless(
      manifest,
      manifest['completionSchema'].properties ? { text: LONG } : { [`${'a'.repeat(40)}!`]: 'x' },
    );
  });

  it('matches() with a pattern that the caller sends', async () => {
    const registered = await register({
      completionSchema: {
        type: 'object',
        properties: { text: { type: 'string' }, pattern: { type: 'string' } },
      },
      gates: [{ id: 'g', description: 'd', expression: 'evidence.text.matches(evidence.pattern)' }],
    });
    expect([201, 422]).toContain(registered.status);
    if (registered.status === 422) return;
    for (const pattern of [
      '^(a+)+$',
      '(',
      '(?=a)',
      '(a{1000}){1000}',
      '\\1',
      '(?<x>a)',
      'a'.repeat(50_000),
    ]) {
      const answer = await submit(registered, { text: LONG, pattern });
      expect({
        pattern: pattern.slice(0, 20),
        status: answer.status,
        slow: answer.ms > 2000,
      }).toEqual({ pattern: pattern.slice(0, 20), status: 201, slow: false });
    }
  });

  it.each([
    'email',
    'uri',
    'uri-reference',
    'uri-template',
    'iri',
    'hostname',
    'idn-email',
    'ipv4',
    'ipv6',
    'date-time',
    'date',
    'time',
    'duration',
    'json-pointer',
    'relative-json-pointer',
    'regex',
    'uuid',
    'byte',
  ])('format %s', async (format) => {
    const registered = await register(text({ format }));
    expect([201, 422]).toContain(registered.status);
    if (registered.status === 422) return;
    for (const evil of [
      LONG,
      `${'a.'.repeat(50_000)}@`,
      `http://${'%41'.repeat(30_000)}`,
      ':'.repeat(90_000),
      '0'.repeat(90_000),
      `${'['.repeat(40_000)}${'(a+)'.repeat(10_000)}`,
      `/${'~0'.repeat(40_000)}~`,
    ]) {
      const answer = await submit(registered, { text: evil });
      expect({
        evil: evil.slice(0, 10),
        known: [201, 422].includes(answer.status),
        slow: answer.ms > 1000,
      }).toEqual({ evil: evil.slice(0, 10), known: true, slow: false });
    }
  });
});

describe('schemas', () => {
  it.each<[string, Body]>([
    ['that refer to themselves', { $ref: '#' }],
    ['that refer to themselves through allOf', { type: 'object', allOf: [{ $ref: '#' }] }],
    [
      'that refer to themselves in a circle',
      {
        type: 'object',
        $ref: '#/$defs/a',
        $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
      },
    ],
    [
      'that refer to themselves dynamically',
      { $dynamicAnchor: 'x', type: 'object', allOf: [{ $dynamicRef: '#x' }] },
    ],
    ['of another draft', { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }],
    ['of a draft of their own', { $schema: 'https://evil.example/schema', type: 'object' }],
    [
      'that take the name of the metaschema',
      { $id: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
    ],
    ['with a name that is no address', { $id: '%%%', type: 'object' }],
    ['with $async', { $async: true, type: 'object', required: ['never-there'] }],
    [
      'with $async inside',
      { type: 'object', properties: { text: { $async: true, type: 'string', maxLength: 1 } } },
    ],
    [
      'with a property named __proto__',
      JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"object"},"constructor":{"type":"string"}}}',
      ) as Body,
    ],
    ['with a required __proto__', { type: 'object', required: ['__proto__'] }],
    [
      'with code in their names',
      {
        type: 'object',
        properties: {
          '"];process.exit(1);//': { type: 'string' },
          '${process.exit(1)}': { const: '`' },
        },
        required: ["';throw 1;//"],
      },
    ],
    [
      'with an enum of 20,000',
      {
        type: 'object',
        properties: { text: { enum: Array.from({ length: 20_000 }, (_, at) => `v${at}`) } },
      },
    ],
    ['with a keyword of ajv', { type: 'object', instanceof: 'Date' }],
    ['with if without then', { type: 'object', if: { required: ['text'] } }],
    [
      'with unevaluatedProperties',
      {
        type: 'object',
        allOf: [{ properties: { text: { type: 'string' } } }],
        unevaluatedProperties: false,
      },
    ],
  ])('%s are refused or harmless', async (_kind, completionSchema) => {
    await harmless({ completionSchema }, { text: 'x'.repeat(10) });
    await sleep(20);
    expect((await api.world.anonymous.get('/readyz')).status).toBe(200);
  });

  it('$async does not make the check a promise that is always true', async () => {
    const answer = await harmless(
      { completionSchema: { $async: true, type: 'object', required: ['never-there'] } },
      {},
    );
    if (answer) expect(answer.status).toBe(422);
    const inner = await harmless(
      {
        completionSchema: {
          type: 'object',
          properties: { text: { $async: true, type: 'string', maxLength: 1 } },
        },
      },
      { text: 'long' },
    );
    if (inner) expect(inner.status).toBe(422);
  });

  it('with one $id in two types, or in two versions, do not disturb each other', async () => {
    const schema = (type: string): Body => ({
      $id: 'https://acme.example/shared',
      type: 'object',
      properties: { text: { type } },
      required: ['text'],
    });
    const one = await register({ completionSchema: schema('string') });
    const two = await register({ completionSchema: schema('integer') });
    for (const { status } of [one, two]) expect([201, 422]).toContain(status);
    if (one.status === 201)
      expect([
        (await submit(one, { text: 'x' })).status,
        (await submit(one, { text: 1 })).status,
      ]).toEqual([201, 422]);
    if (two.status === 201)
      expect([
        (await submit(two, { text: 'x' })).status,
        (await submit(two, { text: 1 })).status,
      ]).toEqual([422, 201]);
  });

  it('change nothing of what was sent: no default, no coercion, no removal', async () => {
    const registered = await register({
      completionSchema: {
        type: 'object',
        properties: {
          n: { type: 'integer' },
          filled: { type: 'string', default: 'by the schema' },
          only: { type: 'object', properties: {}, default: {} },
        },
      },
    });
    const evidence = { n: 1, extra: { kept: true } };
    const answer = await submit(registered, evidence);
    expect(answer.body['evidence']).toEqual(evidence);
    expect(answer.body['evidenceHash']).toBe(
      createHash('sha256').update(canonicalize(evidence)!).digest('hex'),
    );
    expect((await submit(registered, { n: '1' })).status).toBe(422);
  });

  it('report at most 100 errors', async () => {
    const registered = await register({
      completionSchema: { type: 'object', additionalProperties: { type: 'string' } },
    });
    const { status, body } = await submit(
      registered,
      Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`m${at}`, at])),
    );
    expect(status).toBe(422);
    expect(body['errors'].length).toBeLessThanOrEqual(100);
    expect(body['errors'].length).toBeGreaterThan(0);
  });

  it('uniqueItems over 30,000 scalars takes no second', async () => {
    const registered = await register({
      completionSchema: {
        type: 'object',
        properties: { list: { type: 'array', items: { type: 'integer' }, uniqueItems: true } },
      },
    });
    expect(registered.status).toBe(201);
    const answer = await submit(registered, {
      list: Array.from({ length: 30_000 }, (_, at) => at),
    });
    expect({ status: answer.status, slow: answer.ms > 2000 }).toEqual({ status: 201, slow: false });
  });
});

describe('gates', () => {
  const gate = (expression: string, extra: Body = {}): Body => ({
    id: 'g',
    description: 'd',
    expression,
    ...extra,
  });

  it('64 of the longest, all with long words, are sealed: the record ends', async () => {
    const expression = `evidence.score > 0 && "${'x'.repeat(4000)}" != ""`;
    const gates = Array.from({ length: 64 }, (_, at) => ({
      id: `gate-${at}`,
      description: 'd'.repeat(200),
      expression,
    }));
    const registered = await register({
      gateMode: 'auto',
      completionSchema: { type: 'object', properties: { score: { type: 'integer' } } },
      gates,
    });
    expect([201, 422]).toContain(registered.status);
    if (registered.status === 422) return;
    const answer = await submit(registered, { score: 1 });
    expect({ status: answer.status, gate: answer.body['gate']?.state }).toEqual({
      status: 201,
      gate: 'PASSED',
    });
  });

  it('64 that all fail with long values are sealed: the record ends', async () => {
    const gates = Array.from({ length: 64 }, (_, at) =>
      gate('evidence[evidence.key] == 1', { id: `gate-${at}` }),
    );
    const registered = await register({
      gateMode: 'auto',
      completionSchema: { type: 'object', properties: { key: { type: 'string' } } },
      gates,
    });
    expect([201, 422]).toContain(registered.status);
    if (registered.status === 422) return;
    const answer = await submit(registered, { key: 'k'.repeat(20_000) });
    expect({ status: answer.status, gate: answer.body['gate']?.state }).toEqual({
      status: 201,
      gate: 'FAILED',
    });
  });

  it.each<[string, string]>([
    [
      'two nested comprehensions over 300 each',
      'evidence.list.all(x, evidence.list.all(y, x + y >= 0))',
    ],
    [
      'a list that doubles',
      '(evidence.list + evidence.list + evidence.list + evidence.list).size() > 0',
    ],
    [
      'a text that doubles',
      '(evidence.text + evidence.text + evidence.text + evidence.text).size() > 0',
    ],
    ['a map of texts', 'evidence.list.map(x, evidence.text + evidence.text).size() > 0'],
    ['a division by zero', '1 / (evidence.list.size() - evidence.list.size()) == 1'],
    ['an overflow', '9223372036854775807 + evidence.list.size() > 0'],
    ['a missing member', 'evidence.nothing.at.all == 1'],
    ['a wrong type', 'evidence.text > 5'],
    ['a value that is no boolean', 'evidence.text'],
    ['a bad time', 'timestamp(evidence.text) < now'],
    ['a bad duration', 'duration(evidence.text) > duration("1s")'],
    ['a bad number', 'int(evidence.text) == 1'],
    ['an index out of range', 'evidence.list[100000] == 1'],
    ['a name of the prototype', 'evidence.constructor == evidence.__proto__'],
    ['a name of the prototype on a map', 'has(evidence.toString) || has(criteria.hasOwnProperty)'],
  ])('%s: a result that is sealed, in no time', async (_case, expression) => {
    const registered = await register({
      gateMode: 'auto',
      completionSchema: {
        type: 'object',
        properties: {
          list: { type: 'array', items: { type: 'integer' } },
          text: { type: 'string' },
        },
      },
      gates: [gate(expression)],
    });
    expect([201, 422]).toContain(registered.status);
    if (registered.status === 422) return;
    const answer = await submit(registered, {
      list: Array.from({ length: 300 }, (_, at) => at),
      text: 'x'.repeat(100_000),
    });
    expect({
      status: answer.status,
      slow: answer.ms > 1000,
      state: ['PASSED', 'FAILED'].includes(answer.body['gate']?.state),
    }).toEqual({ status: 201, slow: false, state: true });
  });

  it('members that only the prototype has are not there', async () => {
    const registered = await register({
      gateMode: 'auto',
      completionSchema: { type: 'object', properties: { a: { type: 'integer' } } },
      gates: [
        gate('!has(evidence.toString) && !has(evidence.constructor) && !("valueOf" in evidence)'),
      ],
    });
    expect(registered.status).toBe(201);
    expect((await submit(registered, { a: 1 })).body['gate']).toMatchObject({ state: 'PASSED' });
  });

  it('numbers compare as they were sent: 3 is an int, 2.5 a double', async () => {
    const registered = await register({
      gateMode: 'auto',
      completionSchema: {
        type: 'object',
        properties: { i: { type: 'number' }, d: { type: 'number' } },
      },
      gates: [gate('evidence.i >= 3 && evidence.d < 3 && evidence.i > evidence.d')],
    });
    expect(registered.status).toBe(201);
    expect((await submit(registered, { i: 3, d: 2.5 })).body['gate']).toMatchObject({
      state: 'PASSED',
    });
  });

  it('the same inputs have the same digest, others another', async () => {
    const registered = await register({
      completionSchema: { type: 'object', properties: { a: { type: 'integer' } } },
      gates: [gate('evidence.a > 0')],
    });
    const digest = async (a: number): Promise<string> =>
      String((await submit(registered, { a })).body['gate'].results[0].inputsDigest);
    expect(await digest(1)).not.toBe(await digest(2));
  });
});

it.each(['日本株式会社', '---', '🎉', '1234', "O'Neil & Söhne", 'x'.repeat(200), ' blank '])(
  'an org named %s gets a slug, or is told to name one',
  async (name) => {
    const { status, body } = await api.world.platform.post('/v1/admin/orgs', { name });
    expect([201, 400, 422]).toContain(status);
    if (status === 201) expect(body['slug']).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
  },
);
