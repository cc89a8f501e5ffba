import { expect, test } from 'vitest';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { schemaBoundBreaches } from '../../../domain/record-type/schema-bounds.ts';
import { MAX_SCHEMA_BYTES } from '../../../domain/record-type/schema-limits.ts';

const chain = (length: number, step: (i: number) => JsonObject): JsonObject => ({
  type: 'object',
  properties: { a: { $ref: '#/$defs/n0' } },
  $defs: Object.fromEntries(
    Array.from({ length: length + 1 }, (_, i) => [
      `n${i}`,
      i === length ? { type: 'string' } : step(i),
    ]),
  ),
});
const nested = (depth: number): JsonObject => (depth === 0 ? {} : { not: nested(depth - 1) });

test.each<[string, JsonObject]>([
  ['an empty schema', {}],
  [
    'local references',
    {
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' }, b: { $ref: '#b' } },
      $defs: { a: { type: 'string' }, b: { $anchor: 'b' } },
    },
  ],
  ['an escaped reference', { $ref: '#/$defs/a~1b%20c', $defs: { 'a/b c': {} } }],
  [
    'a recursion that descends',
    { type: 'object', properties: { left: { $ref: '#' }, right: { $ref: '#' } } },
  ],
  [
    'unique scalars',
    {
      type: 'array',
      items: { $ref: '#/$defs/id' },
      uniqueItems: true,
      $defs: { id: { type: ['string', 'null'] } },
    },
  ],
  [
    'a few unique objects',
    { type: 'array', items: { type: 'object' }, uniqueItems: true, maxItems: 1000 },
  ],
  [
    'a reference in data',
    { const: { $ref: 'https://example.com' }, enum: [{ $id: 'x' }], examples: [{ $ref: 'y' }] },
  ],
  ['the deepest schema', nested(31)],
])('%s is within the bounds', (_title, schema) => {
  expect(schemaBoundBreaches(schema)).toEqual([]);
});

test.each<[string, JsonObject, string, string]>([
  [
    'a remote reference',
    { type: 'object', properties: { 'a/b': { $ref: 'https://example.com/s.json' } } },
    '/properties/a~1b/$ref',
    '$ref',
  ],
  ['a relative reference', { $ref: 'other.json#/a' }, '/$ref', '$ref'],
  ['a reference that leads nowhere', { $ref: '#/$defs/missing' }, '/$ref', '$ref'],
  ['a reference into data', { $ref: '#/enum/0', enum: [{}] }, '/$ref', '$ref'],
  [
    'a remote dynamic reference',
    { items: { $dynamicRef: 'https://example.com#node' } },
    '/items/$dynamicRef',
    '$dynamicRef',
  ],
  ['an embedded $id', { $defs: { a: { $id: 'https://example.com/a' } } }, '/$defs/a/$id', '$id'],
  ['another draft', { $schema: 'http://json-schema.org/draft-07/schema#' }, '/$schema', '$schema'],
  [
    'an anchor twice',
    { $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } },
    '/$defs/b/$anchor',
    '$anchor',
  ],
  [
    'an unknown keyword',
    { properties: { a: { typ: 'string' } } },
    '/properties/a/typ',
    'unknown-keyword',
  ],
  ['asynchronous validation', { $async: true }, '/$async', 'unknown-keyword'],
  [
    'a member named __proto__',
    JSON.parse('{"properties": {"__proto__": {}}}') as JsonObject,
    '/properties/__proto__',
    'properties',
  ],
  [
    'unique objects without a limit',
    { type: 'array', items: { type: 'object' }, uniqueItems: true },
    '/uniqueItems',
    'uniqueItems',
  ],
  [
    'unique items of any kind',
    { type: 'array', uniqueItems: true, maxItems: 1001 },
    '/uniqueItems',
    'uniqueItems',
  ],
  ['a reference to itself', { $ref: '#' }, '', '$ref'],
  [
    'a circle that never descends',
    {
      $ref: '#/$defs/a',
      $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } },
    },
    '/$defs/b/not',
    '$ref',
  ],
  [
    'references that double at each step',
    chain(14, (i) => ({ allOf: [{ $ref: `#/$defs/n${i + 1}` }, { $ref: `#/$defs/n${i + 1}` }] })),
    '',
    '$ref',
  ],
  [
    'an endless row of references',
    chain(600, (i) => ({ $ref: `#/$defs/n${i + 1}` })),
    '/$defs/n500',
    '$ref',
  ],
  ['a schema that is too deep', nested(32), '', 'depth'],
  ['a schema that is too large', { description: 'x'.repeat(MAX_SCHEMA_BYTES) }, '', 'size'],
])('%s is refused where it stands', (_title, schema, path, keyword) => {
  expect(schemaBoundBreaches(schema)[0]).toMatchObject({ path, keyword });
});

test('thousands of faults are told as a hundred', () => {
  expect(
    schemaBoundBreaches({
      properties: Object.fromEntries(
        Array.from({ length: 5000 }, (_, i) => [`p${i}`, { $ref: 'https://example.com' }]),
      ),
    }),
  ).toHaveLength(100);
});

test('a document nested ten thousand deep is refused without using up the stack', () => {
  let schema: JsonObject = {};
  for (let i = 0; i < 10_000; i++) schema = { not: schema };
  expect(schemaBoundBreaches(schema)).toEqual([expect.objectContaining({ keyword: 'depth' })]);
});
