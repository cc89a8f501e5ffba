import { expect, test } from 'vitest';
import { AjvSchemaValidator } from '../../../adapters/json-schema/ajv-schema-validator.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { examplePayload, topLevelFields } from '../../../domain/record-type/example-payload.ts';

const validator = new AjvSchemaValidator();

test.each<[string, JsonObject]>([
  [
    'required members',
    {
      type: 'object',
      properties: { score: { type: 'integer', minimum: 5 }, note: { type: 'string' } },
      required: ['score'],
      additionalProperties: false,
    },
  ],
  [
    'numbers with bounds',
    {
      type: 'object',
      properties: {
        a: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
        b: { type: 'integer', maximum: -3 },
        c: { type: 'integer', minimum: 7, multipleOf: 5 },
      },
      required: ['a', 'b', 'c'],
    },
  ],
  [
    'multiples of decimals',
    {
      type: 'object',
      properties: {
        a: { type: 'number', minimum: 0.31, multipleOf: 0.05 },
        b: { type: 'number', exclusiveMinimum: 0, maximum: 0.02, multipleOf: 0.01 },
        c: { type: 'integer', minimum: 1, multipleOf: 0.7 },
        d: { type: 'number', maximum: -0.31, multipleOf: 0.1 },
        e: { type: 'number', allOf: [{ multipleOf: 0.3 }, { minimum: 5 }], minimum: 1 },
        f: { type: 'number', multipleOf: 0.2, enum: [0.1, 0.3, 0.6] },
        g: { type: 'number', minimum: 1e300, multipleOf: 5e-300 },
        h: { type: 'number', exclusiveMinimum: 1e300 },
      },
      required: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
    },
  ],
  [
    'strings with bounds',
    {
      type: 'object',
      properties: {
        a: { type: 'string', minLength: 10 },
        b: { type: 'string', maxLength: 2 },
        c: { type: 'string', format: 'uuid' },
      },
      required: ['a', 'b', 'c'],
    },
  ],
  [
    'const, enum and default',
    {
      type: 'object',
      properties: { a: { const: 7 }, b: { enum: ['x', 'y'] }, c: { type: 'string', default: 'd' } },
      required: ['a', 'b', 'c'],
    },
  ],
  [
    'arrays',
    {
      type: 'object',
      properties: {
        a: { type: 'array', items: { type: 'boolean' }, minItems: 2 },
        b: {
          type: 'array',
          prefixItems: [{ type: 'string' }, { type: 'null' }],
          items: false,
          minItems: 2,
        },
      },
      required: ['a', 'b'],
    },
  ],
  [
    'references and allOf',
    {
      type: 'object',
      allOf: [{ $ref: '#/$defs/base' }],
      properties: { b: { $ref: '#/$defs/id' } },
      required: ['b'],
      $defs: {
        base: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
        id: { type: 'string', format: 'date-time' },
      },
    },
  ],
  [
    'alternatives',
    {
      type: 'object',
      properties: { a: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
      required: ['a'],
    },
  ],
  [
    'a recursion',
    {
      type: 'object',
      properties: { name: { type: 'string' }, child: { $ref: '#' } },
      required: ['name'],
    },
  ],
])('the example for %s is valid', (title, schema) => {
  const example = examplePayload(schema);
  expect(validator.validate(title, schema, example)).toMatchObject({ valid: true });
  expect(Object.keys(example as JsonObject).length).toBeGreaterThan(0);
});

test.each<[JsonObject, number]>([
  [{ type: 'number', minimum: 0.31, multipleOf: 0.05 }, 0.35],
  [{ type: 'number', minimum: 19.985, multipleOf: 0.01 }, 19.99],
  [{ type: 'number', exclusiveMinimum: 0.06, maximum: 0.07, multipleOf: 0.01 }, 0.07],
  [{ type: 'integer', minimum: 1, multipleOf: 0.7 }, 7],
  [{ type: 'number', multipleOf: 0.01 }, 1],
])('the example for %j is the decimal %d', (schema, expected) => {
  expect(examplePayload(schema)).toBe(expected);
});

test('a schema that asks for more than there is ends all the same', () => {
  expect(() =>
    examplePayload({
      type: 'object',
      properties: { a: { $ref: '#' }, b: { $ref: '#' } },
      required: ['a', 'b'],
    }),
  ).not.toThrow();
});

test('members of the top level are found through references and allOf', () => {
  const schema: JsonObject = {
    type: 'object',
    allOf: [{ $ref: '#/$defs/base' }],
    properties: { b: true, c: true },
    required: ['b'],
    $defs: { base: { properties: { a: true, d: true }, required: ['a'] } },
  };
  expect(topLevelFields(schema)).toEqual({
    requiredFields: ['b', 'a'],
    optionalFields: ['c', 'd'],
  });
});
