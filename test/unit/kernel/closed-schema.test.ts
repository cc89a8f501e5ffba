import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../domain/kernel/canonical-json.ts';
import { compileClosedSchema } from '../../../domain/kernel/closed-schema.ts';
import { PREDICATE_SCHEMAS } from '../../../domain/record/predicate-schemas.ts';

const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;
const ajv = new Ajv2020({ strict: false });
addFormats(ajv);

/** The reference calls methods of the value that it compares, and looks for members along the prototype. */
const confuses = (value: JsonValue): boolean =>
  /"(?:toString|valueOf|constructor|hasOwnProperty|__proto__|prototype)"/.test(
    JSON.stringify(value),
  );

/** Values that fit a schema more often than not: members of the right form, some missing, some more. */
const valueFor = (schema: JsonValue): fc.Arbitrary<JsonValue> => {
  const other = fc.jsonValue() as fc.Arbitrary<JsonValue>;
  if (!isObject(schema)) return other;
  return mostly(fitting(schema), other);
};

const mostly = (
  usual: fc.Arbitrary<JsonValue>,
  rare: fc.Arbitrary<JsonValue>,
): fc.Arbitrary<JsonValue> =>
  fc.oneof({ weight: 60, arbitrary: usual }, { weight: 1, arbitrary: rare });

const fitting = (schema: JsonObject): fc.Arbitrary<JsonValue> => {
  const {
    allOf,
    oneOf,
    enum: values,
    const: only,
    properties,
    items,
    pattern,
    format,
    type,
  } = schema;
  // The first says which members there are, and the others narrow them.
  if (Array.isArray(allOf) && !isObject(properties)) return valueFor(allOf[0] as JsonValue);
  if (Array.isArray(oneOf)) return fc.oneof(...(oneOf as JsonValue[]).map(valueFor));
  if (Array.isArray(values)) return fc.constantFrom(...(values as JsonValue[]));
  if (only !== undefined) return fc.constant(only);
  if (isObject(properties)) return objectFor(schema, properties);
  if (items !== undefined) return fc.array(valueFor(items), { maxLength: 4 });
  const types = Array.isArray(type) ? (type as JsonValue[]) : [type ?? 'null'];
  return fc.oneof(
    ...types.map((one) =>
      format === 'date-time' && one === 'string' ? mostly(instant, noDay) : scalar(one, pattern),
    ),
  );
};

const objectFor = (schema: JsonObject, properties: JsonObject): fc.Arbitrary<JsonValue> => {
  const required = (schema['required'] ?? []) as readonly string[];
  return fc
    .tuple(
      fc.record(
        Object.fromEntries(
          Object.entries(properties).map(([name, member]) => [name, valueFor(member)]),
        ),
        { requiredKeys: [...required] },
      ),
      fc.oneof(
        { weight: 30, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.string() },
        { weight: 1, arbitrary: fc.constantFrom(...Object.keys(properties)) },
      ),
    )
    .map(([value, name]) => {
      if (name === null) return value;
      const { [name]: _, ...rest } = value as Record<string, JsonValue>;
      return Object.keys(rest).length < Object.keys(value).length ? rest : { ...rest, [name]: 1 };
    });
};

const instant = fc
  .date({
    min: new Date('0000-01-01T00:00:00.000Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString());

/** Of the form of an instant: a day that no month has, or that only some years have. */
const noDay = fc
  .tuple(fc.integer({ min: 1896, max: 2104 }), fc.nat({ max: 14 }), fc.nat({ max: 32 }))
  .map(([year, month, day]) => `${year}-${two(month)}-${two(day)}T12:00:00.000Z`);
const two = (n: number): string => String(n).padStart(2, '0');

const scalar = (type: JsonValue, pattern: JsonValue | undefined): fc.Arbitrary<JsonValue> => {
  if (type === 'string')
    return typeof pattern === 'string'
      ? mostly(fc.stringMatching(new RegExp(pattern)), fc.string())
      : mostly(fc.string({ minLength: 1, maxLength: 8 }), fc.string({ size: '+1' }));
  if (type === 'integer')
    return mostly(
      fc.nat().map((n) => n + 1),
      fc.constantFrom(0, -0, -1, 0.5, 1e300),
    );
  if (type === 'boolean') return fc.boolean();
  if (type === 'object') return fc.constantFrom<JsonValue>({}, { a: 1 });
  return fc.constant(null);
};

describe('a date-time', () => {
  it('is of the calendar, as the reference says', () => {
    const schema = { type: 'string', format: 'date-time' };
    const [check, reference] = [compileClosedSchema(schema), ajv.compile(schema)];
    fc.assert(
      fc.property(fc.oneof(instant, noDay), (text) => {
        expect(check(text) === null, text).toBe(reference(text));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a schema of a predicate, compiled for the browser as well', () => {
  it.each(PREDICATE_SCHEMAS.map(({ kind, schema }) => [kind, schema] as const))(
    'of %s agrees with ajv on every value',
    (_kind, schema) => {
      const reference = ajv.compile(schema);
      const check = compileClosedSchema(schema);
      let fitted = 0;
      fc.assert(
        fc.property(valueFor(schema), (value) => {
          fc.pre(!confuses(value));
          const expected = reference(value);
          if (expected) fitted++;
          expect(check(value) === null, JSON.stringify(value)).toBe(expected);
        }),
        { numRuns: 1_600 },
      );
      expect(fitted).toBeGreaterThan(5);
    },
  );

  it.each<[string, JsonValue]>([
    ['text lengths in code points', { type: 'string', minLength: 2, maxLength: 3 }],
    ['integers', { type: 'integer', minimum: 0 }],
    ['lists', { type: 'array', items: { type: 'null' }, minItems: 1, maxItems: 2 }],
    ['compared values', { enum: [{ a: [1] }, [], 'x', null, 1, true] }],
    ['what depends on another member', { dependentRequired: { a: ['b'], b: ['a'] } }],
    ['conditions', { if: { type: 'string' }, then: { minLength: 1 }, else: { type: 'null' } }],
    ['nothing at all', { properties: { a: false, b: true } }],
    ['several forms', { oneOf: [{ type: 'integer' }, { minimum: 3 }] }],
  ])('agrees with ajv on %s', (_what, schema) => {
    const reference = ajv.compile(schema as JsonObject);
    const check = compileClosedSchema(schema);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.string({ unit: 'binary', maxLength: 4 }),
          fc.array(fc.constant(null), { maxLength: 3 }),
          fc.integer({ min: -5, max: 5 }),
          fc.record({ a: fc.jsonValue(), b: fc.jsonValue() }, { requiredKeys: [] }),
          fc.constantFrom({ a: [1] }, [], 'x', true),
        ),
        (value) => {
          fc.pre(!confuses(value as JsonValue));
          expect(check(value as JsonValue) === null).toBe(reference(value));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('says where the first fault lies', () => {
    const check = compileClosedSchema({
      type: 'object',
      properties: { 'a/b': { type: 'array', items: { type: 'null' } } },
    });
    expect(check({ 'a/b': [null, 1] })).toEqual({
      pointer: '/a~1b/1',
      message: 'is not of the type null',
    });
  });

  it('with a keyword that it does not know is refused', () => {
    expect(() => compileClosedSchema({ properties: { a: { format: 'uuid' } } })).toThrow(TypeError);
  });
});
