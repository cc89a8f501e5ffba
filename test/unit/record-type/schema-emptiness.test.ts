import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { objectFault } from '../../../domain/record-type/schema-emptiness.ts';

const faultOf = (schema: JsonObject): string => {
  const fault = objectFault(schema);
  return fault === null
    ? 'satisfiable'
    : `${fault.path} ${fault.message.replace('no object can satisfy this schema: ', '')}`;
};

describe('a schema that no object can satisfy', () => {
  test.each<[JsonObject, string]>([
    [{ type: 'string' }, '/type it takes a string, not an object'],
    [{ type: ['array', 'null'] }, '/type it takes an array or null, not an object'],
    [{ enum: ['a', 1] }, '/enum none of the values it lists is an object'],
    [{ const: 4 }, '/const none of the values it lists is an object'],
    [{ not: {} }, '/not "not" excludes everything'],
    [{ not: { type: 'object' } }, '/not "not" excludes an object'],
    [
      { type: 'object', properties: { a: false }, required: ['a'] },
      '/properties/a it requires the member "a", and false accepts nothing',
    ],
    [
      {
        type: 'object',
        properties: { a: { type: 'string', minLength: 3, maxLength: 2 } },
        required: ['a'],
      },
      '/properties/a/minLength it requires the member "a", and minLength 3 is more than maxLength 2',
    ],
    [
      { type: 'object', required: ['a'], additionalProperties: false },
      '/additionalProperties it requires the member "a", and false accepts nothing',
    ],
    [
      { type: 'object', required: ['a', 'b'], maxProperties: 1 },
      '/maxProperties it requires 2 members and allows 1',
    ],
    [
      { type: 'object', minProperties: 3, maxProperties: 2 },
      '/minProperties minProperties 3 is more than maxProperties 2',
    ],
    [
      {
        type: 'object',
        required: ['n'],
        properties: { n: { type: 'integer', exclusiveMinimum: 1, maximum: 1.5 } },
      },
      '/properties/n/exclusiveMinimum it requires the member "n", and no integer is above 1 and at most 1.5',
    ],
    [
      {
        type: 'object',
        required: ['n'],
        properties: { n: { type: 'number', minimum: 0.01, maximum: 0.04, multipleOf: 0.05 } },
      },
      '/properties/n/minimum it requires the member "n", and no number that is a multiple of 0.05 is at least 0.01 and at most 0.04',
    ],
    [
      {
        type: 'object',
        required: ['n'],
        properties: {
          n: {
            type: 'integer',
            exclusiveMinimum: 0,
            exclusiveMaximum: 7,
            allOf: [{ multipleOf: 0.7 }],
          },
        },
      },
      '/properties/n/exclusiveMinimum it requires the member "n", and no integer that is a multiple of 0.7 is above 0 and below 7',
    ],
    [
      { allOf: [{ type: 'object', required: ['a'] }, { properties: { a: { enum: [] } } }] },
      '/allOf/1/properties/a/enum it requires the member "a", and the lists of values have none in common',
    ],
    [
      {
        anyOf: [{ type: 'string' }, { type: 'object', required: ['x'], properties: { x: false } }],
      },
      '/anyOf no alternative of anyOf can hold; of the last one, it requires the member "x", and false accepts nothing',
    ],
    [
      { $ref: '#/$defs/text', $defs: { text: { type: 'string' } } },
      '/$defs/text/type it takes a string, not an object',
    ],
    [
      { type: 'object', required: ['next'], properties: { next: { $ref: '#' } } },
      '/properties/next it requires the member "next", and that would never end',
    ],
    [
      { type: 'object', required: ['abc'], propertyNames: { maxLength: 2 } },
      '/propertyNames it requires the member "abc", and "propertyNames" refuses that name',
    ],
    [
      {
        type: 'object',
        required: ['a'],
        dependentRequired: { a: ['b'] },
        properties: { b: false },
      },
      '/properties/b it requires the member "b", and false accepts nothing',
    ],
    [
      { type: 'object', required: ['a'], not: { required: ['a'] } },
      '/required it requires "a", which "not" forbids',
    ],
    [
      {
        type: 'object',
        required: ['list'],
        properties: { list: { type: 'array', minItems: 1, items: false } },
      },
      '/properties/list/items it requires the member "list", and it needs an element, and false accepts nothing',
    ],
  ])('%j', (schema, expected) => {
    expect(faultOf(schema)).toBe(expected);
  });
});

describe('a schema that some object satisfies', () => {
  test.each<[JsonObject]>([
    [{}],
    [{ type: 'object' }],
    [{ type: ['string', 'object'] }],
    [{ enum: ['a', {}] }],
    [{ type: 'object', properties: { a: false } }],
    ...(
      [
        { minimum: 0.07, maximum: 0.07, multipleOf: 0.01 },
        { exclusiveMinimum: 19.98, exclusiveMaximum: 20, multipleOf: 0.01 },
        { exclusiveMinimum: -0.4, maximum: -0.3, multipleOf: 0.1 },
        { minimum: 9007199254740992, exclusiveMaximum: 9007199254740994, multipleOf: 1 },
        { minimum: 1.7e308, multipleOf: 5e-324 },
        { minimum: 1, maximum: 2, allOf: [{ multipleOf: 1e-300 }, { multipleOf: 1e300 }] },
      ] as JsonObject[]
    ).map((limits): [JsonObject] => [
      { type: 'object', required: ['n'], properties: { n: { type: 'number', ...limits } } },
    ]),
    [{ type: 'object', properties: { a: { type: 'array', items: false } }, required: ['a'] }],
    [{ type: 'object', properties: { next: { $ref: '#' } } }],
    [
      {
        type: 'object',
        required: ['next'],
        properties: { next: { anyOf: [{ type: 'null' }, { $ref: '#' }] } },
      },
    ],
    [{ anyOf: [{ type: 'string' }, { type: 'object' }] }],
    [
      {
        type: 'object',
        required: ['ab'],
        patternProperties: { '^a': {} },
        additionalProperties: false,
      },
    ],
    [{ type: 'object', required: ['n'], properties: { n: { minimum: 3, maximum: 2 } } }],
    [
      {
        type: 'object',
        required: ['n'],
        properties: { n: { type: 'number', minimum: 2, maximum: 2 } },
      },
    ],
    [{ type: 'object', not: { required: ['a'] } }],
    [{ not: { type: 'string' } }],
  ])('%j', (schema) => {
    expect(faultOf(schema)).toBe('satisfiable');
  });

  test('the work is bounded, however the alternatives multiply', () => {
    const choice = { anyOf: [{ required: ['a'] }, { required: ['b'] }, { required: ['c'] }] };
    const schema = {
      type: 'object',
      allOf: Array.from({ length: 200 }, () => structuredClone(choice)),
      additionalProperties: { type: 'string' },
    };
    // Without a bound it would not end at all.
    expect(faultOf(schema)).toBe('satisfiable');
  });
});
