import { afterAll, describe, expect, test } from 'vitest';
import { AjvSchemaValidator } from '../../adapters/json-schema/ajv-schema-validator.ts';
import { GuardedSchemaValidator } from '../../adapters/json-schema/guarded-schema-validator.ts';
import { SchemaLanes } from '../../adapters/json-schema/schema-lanes.ts';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import type { SchemaValidator } from '../../domain/record-type/schema-validator.port.ts';

// Contract of domain/record-type/schema-validator.port.ts

const lanes = new SchemaLanes();
afterAll(() => lanes.stop());
const ORG = '01a20105-ed68-728c-8bf2-74036a408f66';

describe.each<[string, SchemaValidator]>([
  [
    'what is light at once, the rest in a thread',
    new GuardedSchemaValidator(new AjvSchemaValidator(), lanes).of(ORG),
  ],
  [
    'everything in a thread',
    new GuardedSchemaValidator(new AjvSchemaValidator(), lanes, -1).of(ORG),
  ],
])('schema validator: %s', async (_name, validator) => {
  let keys = 0;
  const validate = (schema: JsonObject, value: JsonValue) =>
    validator.validate(`key ${keys++}`, schema, value);
  const isValid = async (schema: JsonObject, value: JsonValue): Promise<boolean> =>
    (await validate(schema, value)).valid;
  const validOf = async (
    schema: JsonObject,
    values: readonly JsonValue[],
  ): Promise<JsonValue[]> => {
    const verdicts = await Promise.all(values.map((value) => isValid(schema, value)));
    return values.filter((_, i) => verdicts[i]);
  };

  const report: JsonObject = {
    type: 'object',
    properties: {
      score: { type: 'number', minimum: 0 },
      at: { type: 'string', format: 'date-time' },
      tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, uniqueItems: true },
    },
    required: ['score', 'at'],
    additionalProperties: false,
  };

  test('a valid instance has no errors; the fields of the top level are told either way', async () => {
    expect(await validate(report, { score: 1, at: '2026-01-31T12:00:00Z', tags: ['a'] })).toEqual({
      valid: true,
      errors: [],
      requiredFields: ['score', 'at'],
      optionalFields: ['tags'],
    });
  });

  test('each error points at the member itself', async () => {
    const { valid, errors } = await validate(report, {
      score: -1,
      tags: ['a', 'a', 'c'],
      'e/x': 1,
    });
    expect(valid).toBe(false);
    expect(errors).toEqual(
      expect.arrayContaining([
        { path: '/score', keyword: 'minimum', message: 'must be >= 0' },
        { path: '/at', keyword: 'required', message: 'is required' },
        {
          path: '/e~1x',
          keyword: 'additionalProperties',
          message: 'is not a member that is allowed here',
        },
        { path: '/tags/2', keyword: 'enum', message: 'must be one of "a", "b"' },
        { path: '/tags', keyword: 'uniqueItems', message: 'must not hold the same item twice' },
      ]),
    );
    expect(errors).toHaveLength(5);
  });

  test('at most 100 errors are told', async () => {
    expect(
      (
        await validate(
          { type: 'array', items: { type: 'string' } },
          Array.from({ length: 1000 }, () => 1),
        )
      ).errors,
    ).toHaveLength(100);
  });

  test.each<[string, JsonObject, string]>([
    ['an unknown keyword', { type: 'object', propertees: {} }, '/propertees'],
    ['an unknown type', { type: 'objekt' }, '/type'],
    [
      'a malformed keyword deep inside',
      { type: 'object', properties: { a: { type: 'string', maxLength: -1 } } },
      '/properties/a/maxLength',
    ],
    [
      'a keyword without its type',
      { type: 'object', properties: { a: { minimum: 1 } } },
      '/properties/a',
    ],
    ['an unknown format', { type: 'string', format: 'telephone-number' }, ''],
    [
      'look-ahead',
      { type: 'object', properties: { a: { type: 'string', pattern: '(?=x)y' } } },
      '/properties/a/pattern',
    ],
    ['a back-reference', { type: 'string', pattern: '(a)\\1' }, '/pattern'],
    [
      'a pattern for names that cannot be compiled',
      { type: 'object', patternProperties: { '(': true } },
      '/patternProperties/(',
    ],
    ['a schema that makes validation asynchronous', { $async: true, type: 'object' }, '/$async'],
  ])('refuses %s, and says where', async (_title, schema, path) => {
    expect((await validator.check(schema))[0]).toMatchObject({ path });
  });

  test.each<[string, JsonObject]>([
    ['nothing at all', {}],
    ['a nullable type', { type: ['string', 'null'] }],
    [
      'required members in a branch',
      { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    ],
    ['an open tuple', { type: 'array', prefixItems: [{ type: 'string' }] }],
    [
      'a conditional',
      {
        type: 'object',
        properties: { a: { type: 'string' } },
        if: { properties: { a: { const: 'x' } } },
        then: { required: ['b'] },
      },
    ],
    [
      'unevaluated members',
      { type: 'object', allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
    ],
    [
      'a recursive schema',
      { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } },
    ],
    [
      'anchors and dynamic references',
      {
        $id: 'https://example.com/tree',
        $dynamicAnchor: 'node',
        type: 'object',
        properties: { next: { $dynamicRef: '#node' }, id: { $ref: '#id' } },
        $defs: { id: { $anchor: 'id', type: 'string' } },
      },
    ],
    [
      'members that match a pattern',
      {
        type: 'object',
        properties: { x_a: true },
        patternProperties: { '^x_': { type: 'string' } },
      },
    ],
  ])('accepts %s', async (_title, schema) => {
    expect(await validator.check(schema)).toEqual([]);
  });

  test('two schemas may carry the same $id', async () => {
    const of = (type: string): JsonObject => ({
      $id: 'https://example.com/same',
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' } },
      $defs: { a: { type } },
    });
    expect(await isValid(of('string'), { a: 'x' })).toBe(true);
    expect(await isValid(of('number'), { a: 'x' })).toBe(false);
    expect(await isValid(of('string'), { a: 1 })).toBe(false);
  });

  test('a schema is compiled once for a key', async () => {
    expect((await validator.validate('fixed', { type: 'string' }, 'x')).valid).toBe(true);
    expect((await validator.validate('fixed', { type: 'string' }, 1)).valid).toBe(false);
  });

  test('a schema that check refuses is a TypeError and not a verdict on the instance', async () => {
    await expect(validate({ type: 'string', pattern: '(' }, 'x')).rejects.toThrow(TypeError);
  });

  test.each<[string, string[], string[]]>([
    [
      'date-time',
      ['2026-01-31T12:00:00Z', '2024-02-29t23:59:60.5z', '2026-01-01T00:59:60+01:00'],
      [
        '2026-02-29T12:00:00Z',
        '2026-01-31 12:00:00Z',
        '2026-01-31T12:00:00',
        '2026-01-31T24:00:00Z',
        '2026-01-31T12:00:60Z',
      ],
    ],
    ['date', ['2026-12-31'], ['2026-13-01', '2026-1-1', '2026-04-31']],
    ['time', ['23:59:59Z', '12:00:00.123-05:30'], ['12:00:00', '12:60:00Z']],
    ['duration', ['P1D', 'PT36H', 'P2W', 'P1Y2M3DT4H5M6S'], ['P', 'PT', '1D', 'P1DT', 'P1.5D']],
    ['email', ['a.b+c@example.com'], ['a@b', 'a b@example.com', '@example.com']],
    ['hostname', ['example.com', 'xn--bcher-kva.example'], ['-a.com', 'a..b', 'a_b.com']],
    ['ipv4', ['192.0.2.1'], ['256.0.0.1', '192.0.2']],
    ['ipv6', ['2001:db8::1', '::ffff:192.0.2.1'], ['2001:db8', 'fe80::1%eth0']],
    [
      'uri',
      ['https://example.com/a?b#c', 'urn:uuid:01890a5d-ac96-774b-bcce-b302099a8057'],
      ['/a', 'https://exa mple.com', 'http://[::1', 'a#b#c'],
    ],
    ['uri-reference', ['/a?b', '#c', 'https://example.com/'], ['a b', '\\\\a']],
    [
      'uuid',
      ['01890a5d-ac96-774b-bcce-b302099a8057'],
      ['01890a5d', 'urn:uuid:01890a5d-ac96-774b-bcce-b302099a8057'],
    ],
    ['json-pointer', ['', '/a~1b/0'], ['a', '/a~2']],
    ['regex', ['^a+$'], ['(']],
  ])('format %s', async (format, good, bad) => {
    const schema = { type: 'string', format };
    expect(await validOf(schema, good)).toEqual(good);
    expect(await validOf(schema, bad)).toEqual([]);
  });

  test('multipleOf is decided on decimals, not on the doubles nearest to them', async () => {
    const cents: JsonObject = { type: 'number', multipleOf: 0.01 };
    const good = [19.99, 4.02, 0.07, 600.03, -19.99, 0, 1e300];
    expect(await validOf(cents, good)).toEqual(good);
    expect(await validOf(cents, [19.995, 0.07000000000000002, 1e-7])).toEqual([]);
    const steps: JsonObject = { type: 'number', multipleOf: 0.05 };
    expect(await validOf(steps, [0.35, 0.35000000000000003])).toEqual([0.35]);
    expect((await validate(cents, 0.001)).errors).toEqual([
      { path: '', keyword: 'multipleOf', message: 'must be multiple of 0.01' },
    ]);
  });

  // From the JSON Schema test suite, multipleOf.json and optional/float-overflow.json.
  test.each<[JsonObject, number, boolean]>([
    [{ type: 'number', multipleOf: 2 }, 10, true],
    [{ type: 'number', multipleOf: 2 }, 7, false],
    [{ type: 'number', multipleOf: 1.5 }, 0, true],
    [{ type: 'number', multipleOf: 1.5 }, 4.5, true],
    [{ type: 'number', multipleOf: 1.5 }, 35, false],
    [{ type: 'number', multipleOf: 0.0001 }, 0.0075, true],
    [{ type: 'number', multipleOf: 0.0001 }, 0.00751, false],
    [{ type: 'integer', multipleOf: 0.123456789 }, 1e308, false],
    [{ type: 'integer', multipleOf: 1e-8 }, 12391239123, true],
    [{ type: 'integer', multipleOf: 0.5 }, 1e308, true],
  ])('%j of %d: %s', async (schema, value, expected) => {
    expect(await validator.check(schema)).toEqual([]);
    expect(await isValid(schema, value)).toBe(expected);
  });

  test.each([0, -0.01])('refuses multipleOf %d', async (multipleOf) => {
    expect(await validator.check({ type: 'number', multipleOf })).toEqual([
      expect.objectContaining({ path: '/multipleOf', keyword: 'exclusiveMinimum' }),
    ]);
  });

  test('an example satisfies the schema, and is left out if none was found', async () => {
    const price: JsonObject = {
      type: 'object',
      required: ['amount', 'discount'],
      properties: {
        amount: { type: 'number', multipleOf: 0.05, minimum: 0.31 },
        discount: { type: 'number', multipleOf: 0.05, default: 0.35000000000000003 },
      },
    };
    const { example } = await validate(price, {});
    expect(example).toEqual({ amount: 0.35, discount: 1 });
    expect(await isValid(price, example!)).toBe(true);
    const coded: JsonObject = { type: 'object', properties: { code: { type: 'string' } } };
    expect(await validate({ ...coded, required: ['code'] }, {})).toHaveProperty('example');
    expect(
      await validate(
        {
          ...coded,
          required: ['code'],
          patternProperties: { '^c': { pattern: '^[0-9]{9}$', type: 'string' } },
        },
        {},
      ),
    ).not.toHaveProperty('example');
  });

  test('enum and uniqueItems compare JSON values, not their text', async () => {
    const values: JsonValue = [1, '1', null, 'null', true, { a: 1, b: 2 }, [1]];
    const schema: JsonObject = { enum: values };
    expect(await isValid(schema, { b: 2, a: 1 })).toBe(true);
    expect(await validOf(schema, ['true', [1, 1], { a: 1 }, 2])).toEqual([]);
    const unique: JsonObject = { type: 'array', uniqueItems: true, maxItems: 100 };
    expect(await isValid(unique, values)).toBe(true);
    expect(
      await isValid(unique, [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).toBe(false);
    expect(await isValid(unique, [1, 1.0])).toBe(false);
  });

  test('a member named __proto__ or constructor is data', async () => {
    const schema: JsonObject = {
      type: 'object',
      properties: { a: { type: 'number' } },
      additionalProperties: false,
    };
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const value = JSON.parse(`{"${name}": 1}`) as JsonObject;
      expect((await validate(schema, value)).errors).toEqual([
        expect.objectContaining({ path: `/${name}`, keyword: 'additionalProperties' }),
      ]);
    }
    expect(await isValid({ type: 'object', required: ['toString'] }, {})).toBe(false);
  });

  test('hostile: a huge enum and a backtracking pattern cost next to nothing', async () => {
    const schema: JsonObject = {
      type: 'array',
      items: {
        type: 'string',
        enum: Array.from({ length: 20_000 }, (_, i) => `value ${i}`),
        pattern: '^(\\w+\\s?)*$',
      },
    };
    expect(
      await isValid(
        schema,
        Array.from({ length: 2_000 }, () => 'value 19999'),
      ),
    ).toBe(true);
    expect(await isValid({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(100_000)}!`)).toBe(
      false,
    );
  });
});
