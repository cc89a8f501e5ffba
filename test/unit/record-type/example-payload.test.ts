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
