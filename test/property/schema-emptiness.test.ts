import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AjvSchemaValidator } from '../../adapters/json-schema/ajv-schema-validator.ts';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import { schemaBoundBreaches } from '../../domain/record-type/schema-bounds.ts';
import { objectFault } from '../../domain/record-type/schema-emptiness.ts';

const RUNS = 400;
const NAMES = ['a', 'b'];
const small = fc.integer({ min: 0, max: 2 });

const { value } = fc.letrec<{ value: JsonValue; members: JsonValue }>((tie) => ({
  members: fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 2 }),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, true, '', 'x', 'xyz', 0, 1, 1.5, 2),
    tie('members'),
    fc.array(tie('value'), { maxLength: 2 }) as fc.Arbitrary<JsonValue>,
  ),
}));
const object = fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 2 });

const optional = (shape: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<JsonObject> =>
  fc.record(shape, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;

const { schema } = fc.letrec<{ schema: JsonObject; sub: JsonValue }>((tie) => ({
  sub: fc.oneof(
    { weight: 6, arbitrary: tie('schema') },
    { weight: 2, arbitrary: fc.boolean() },
    { weight: 1, arbitrary: fc.constant({ $ref: '#/$defs/d' }) },
  ),
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    optional({ type: fc.constantFrom('string', 'integer', 'number', 'object', 'array', 'null') }),
    optional({
      enum: fc.uniqueArray(value, {
        minLength: 1,
        maxLength: 3,
        comparator: (a, b) => JSON.stringify(a) === JSON.stringify(b),
      }),
    }),
    optional({
      minimum: small,
      exclusiveMinimum: small,
      maximum: small,
      exclusiveMaximum: small,
      multipleOf: fc.constantFrom(0.1, 0.5, 0.75, 2),
      type: fc.constantFrom('number', 'integer'),
    }).map((limits) => ({ type: 'integer', ...limits })),
    optional({ minLength: small, maxLength: small }).map((limits) => ({
      type: 'string',
      ...limits,
    })),
    optional({ minItems: small, maxItems: small, items: tie('sub') }).map((limits) => ({
      type: 'array',
      ...limits,
    })),
    optional({
      properties: fc.dictionary(fc.constantFrom(...NAMES), tie('sub'), { maxKeys: 2 }),
      patternProperties: fc.dictionary(fc.constantFrom('^a$'), tie('sub'), { maxKeys: 1 }),
      additionalProperties: tie('sub'),
      required: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 }),
      minProperties: small,
      maxProperties: small,
      dependentRequired: fc.constantFrom({ a: ['b'] }),
      not: fc.constantFrom({ required: ['a'] }, { type: 'object', required: ['b'] }),
    }).map((members) => ({ type: 'object', ...members })),
    optional({
      allOf: fc.array(tie('sub'), { minLength: 1, maxLength: 2 }),
      anyOf: fc.array(tie('sub'), { minLength: 1, maxLength: 2 }),
      oneOf: fc.array(tie('sub'), { minLength: 1, maxLength: 2 }),
      not: fc.constantFrom({}, { type: 'string' }, { type: ['object', 'null'] }),
    }),
  ),
}));

const document = fc
  .tuple(schema, schema)
  .map(([root, d]): JsonObject => ({ ...root, $defs: { d } }));

test('a schema that an object satisfies is never refused', () => {
  const validator = new AjvSchemaValidator();
  let refused = 0;
  let count = 0;
  fc.assert(
    fc.property(document, fc.array(object, { minLength: 1, maxLength: 8 }), (root, objects) => {
      if (schemaBoundBreaches(root).length > 0) return;
      const fault = objectFault(root);
      if (fault === null || validator.check(root).length > 0) return;
      refused++;
      const key = `${count++}`;
      for (const instance of objects)
        expect([
          instance,
          fault.message,
          validator.validate(key, root, instance as JsonObject).valid,
        ]).toEqual([instance, fault.message, false]);
    }),
    { numRuns: RUNS },
  );
  expect(refused).toBeGreaterThan(RUNS / 50);
});
