import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { compatibilityBreaches } from '../../../domain/record-type/compatibility.ts';
import {
  completeManifest,
  type CompatibilityMode,
  type Manifest,
} from '../../../domain/record-type/manifest.ts';

const manifest = (
  criteriaSchema: JsonObject,
  compatibilityMode: CompatibilityMode = 'backward',
): Manifest =>
  completeManifest(
    { type: 'report', completionSchema: { type: 'object' }, criteriaSchema, compatibilityMode },
    { orgSlug: 'acme', nextVersion: 1 },
  );
const breaches = (
  before: JsonObject,
  after: JsonObject,
  mode: CompatibilityMode = 'backward',
): string[] =>
  compatibilityBreaches(manifest(before), manifest(after, mode)).map((error) => error.path);

const closed: JsonObject = {
  type: 'object',
  properties: { a: { type: 'string' }, b: { type: 'integer' } },
  required: ['a'],
  additionalProperties: false,
};
const of = (a: JsonObject): JsonObject => ({ type: 'object', properties: { a } });

describe('backward', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['the same schema', closed, closed],
    ['other words about it', closed, { ...closed, title: 'New', description: 'Said otherwise' }],
    [
      'an optional member more in a closed schema',
      closed,
      { ...closed, properties: { ...(closed.properties as JsonObject), c: { type: 'string' } } },
    ],
    ['a described member that may be anything', { type: 'object' }, of({})],
    ['a required member that is optional now', closed, { ...closed, required: [] }],
    ['open where it was closed', closed, { ...closed, additionalProperties: true }],
    ['a wider type', of({ type: 'integer' }), of({ type: 'number' })],
    ['one type more', of({ type: 'string' }), of({ type: ['string', 'null'] })],
    ['one value more', of({ enum: ['x'] }), of({ enum: ['x', 'y'] })],
    ['a const that became a list', of({ const: 'x' }), of({ enum: ['x', 'y'] })],
    [
      'wider bounds',
      of({ type: 'integer', minimum: 5, maximum: 9 }),
      of({ type: 'integer', minimum: 4, exclusiveMaximum: 10 }),
    ],
    [
      'longer texts',
      of({ type: 'string', minLength: 3, maxLength: 5 }),
      of({ type: 'string', minLength: 2, maxLength: 6 }),
    ],
    [
      'one alternative more',
      of({ anyOf: [{ type: 'string' }] }),
      of({ anyOf: [{ type: 'null' }, { type: 'string' }] }),
    ],
    [
      'alternatives where there was one thing',
      of({ type: 'string' }),
      of({ anyOf: [{ type: 'null' }, { type: 'string' }] }),
    ],
    [
      'a schema moved behind a reference',
      of({ type: 'string' }),
      { ...of({ $ref: '#/$defs/a' }), $defs: { a: { type: 'string' } } },
    ],
    [
      'a recursive schema, widened',
      { type: 'object', properties: { n: { type: 'integer' }, next: { $ref: '#' } } },
      { type: 'object', properties: { n: { type: 'number' }, next: { $ref: '#' } } },
    ],
    [
      'a part of an allOf that is gone',
      of({ allOf: [{ type: 'string' }, { maxLength: 3 }] }),
      of({ type: 'string' }),
    ],
    [
      'less that is forbidden',
      of({ not: { type: ['string', 'null'] } }),
      of({ not: { type: 'string' } }),
    ],
    [
      'a smaller multiple',
      of({ type: 'integer', multipleOf: 10 }),
      of({ type: 'integer', multipleOf: 5 }),
    ],
    [
      'a smaller multiple of decimals',
      of({ type: 'number', multipleOf: 0.3 }),
      of({ type: 'number', multipleOf: 0.1 }),
    ],
    [
      'cents instead of whole numbers',
      of({ type: 'integer' }),
      of({ type: 'number', multipleOf: 0.01 }),
    ],
    [
      'a bound for a type that does not occur',
      of({ type: 'string' }),
      of({ type: 'string', minimum: 3 }),
    ],
  ])('%s is compatible', (_title, before, after) => {
    expect(breaches(before, after)).toEqual([]);
  });

  test.each<[string, JsonObject, JsonObject, string[]]>([
    [
      'a new required member',
      closed,
      { ...closed, required: ['a', 'b'] },
      ['/criteriaSchema/required/1'],
    ],
    [
      'a removed member of a closed schema',
      closed,
      { ...closed, properties: { a: { type: 'string' } } },
      ['/criteriaSchema/properties/b'],
    ],
    [
      'closed where it was open',
      of({}),
      { ...of({}), additionalProperties: false },
      ['/criteriaSchema/additionalProperties'],
    ],
    [
      'a member constrained that could be anything',
      { type: 'object' },
      of({ type: 'string' }),
      ['/criteriaSchema/properties/a'],
    ],
    [
      'a narrower type',
      of({ type: 'number' }),
      of({ type: 'integer' }),
      ['/criteriaSchema/properties/a/type'],
    ],
    [
      'a value less',
      of({ enum: ['x', 'y'] }),
      of({ enum: ['x'] }),
      ['/criteriaSchema/properties/a/enum'],
    ],
    [
      'a list where there was none',
      of({ type: 'string' }),
      of({ type: 'string', enum: ['x'] }),
      ['/criteriaSchema/properties/a/enum'],
    ],
    [
      'another multiple',
      of({ type: 'number', multipleOf: 0.01 }),
      of({ type: 'number', multipleOf: 0.05 }),
      ['/criteriaSchema/properties/a/multipleOf'],
    ],
    [
      'a multiple of what was any number',
      of({ type: ['integer', 'number'] }),
      of({ type: 'number', multipleOf: 1 }),
      ['/criteriaSchema/properties/a/multipleOf'],
    ],
    [
      'narrower bounds',
      of({ type: 'integer', minimum: 1 }),
      of({ type: 'integer', minimum: 2, maximum: 5 }),
      ['/criteriaSchema/properties/a/minimum', '/criteriaSchema/properties/a/maximum'],
    ],
    [
      'the bound itself excluded',
      of({ type: 'integer', minimum: 1 }),
      of({ type: 'integer', exclusiveMinimum: 1 }),
      ['/criteriaSchema/properties/a/exclusiveMinimum'],
    ],
    [
      'a new pattern',
      of({ type: 'string' }),
      of({ type: 'string', pattern: '^a' }),
      ['/criteriaSchema/properties/a/pattern'],
    ],
    [
      'another format',
      of({ type: 'string', format: 'date' }),
      of({ type: 'string', format: 'date-time' }),
      ['/criteriaSchema/properties/a/format'],
    ],
    [
      'a numeric format',
      of({ type: 'integer' }),
      of({ type: 'integer', format: 'int32' }),
      ['/criteriaSchema/properties/a/format'],
    ],
    [
      'an alternative less',
      of({ anyOf: [{ type: 'string' }, { type: 'null' }] }),
      of({ anyOf: [{ type: 'string' }] }),
      ['/criteriaSchema/properties/a/anyOf'],
    ],
    [
      'another oneOf',
      of({ oneOf: [{ type: 'string' }] }),
      of({ oneOf: [{ type: 'string' }, { maxLength: 3 }] }),
      ['/criteriaSchema/properties/a/oneOf'],
    ],
    [
      'more that is forbidden',
      of({ not: { type: 'string' } }),
      of({ not: { type: ['string', 'null'] } }),
      ['/criteriaSchema/properties/a/not'],
    ],
    [
      'a dependent schema named like an annotation',
      { type: 'object', dependentSchemas: {} },
      { type: 'object', dependentSchemas: { title: { required: ['b'] } } },
      ['/criteriaSchema/dependentSchemas'],
    ],
    [
      'the target of a reference narrowed',
      { ...of({ $ref: '#/$defs/a' }), $defs: { a: { type: 'number' } } },
      { ...of({ $ref: '#/$defs/a' }), $defs: { a: { type: 'integer' } } },
      ['/criteriaSchema/$defs/a/type'],
    ],
    [
      'unevaluated members',
      { type: 'object' },
      { type: 'object', unevaluatedProperties: false },
      ['/criteriaSchema/unevaluatedProperties'],
    ],
    [
      'a new member that matched a pattern before',
      {
        type: 'object',
        patternProperties: { '^a': { type: 'string' } },
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: { a: { type: 'string', maxLength: 1 } },
        patternProperties: { '^a': { type: 'string' } },
        additionalProperties: false,
      },
      ['/criteriaSchema/properties/a'],
    ],
    [
      'nothing accepted any more',
      of({ type: 'string' }),
      { type: 'object', properties: { a: false } },
      ['/criteriaSchema/properties/a'],
    ],
  ])('%s is a breach, told where it stands', (_title, before, after, paths) => {
    expect(breaches(before, after)).toEqual(paths);
  });
});

test('forward is the reverse of backward, full is both, none is neither', () => {
  const narrow = of({ type: 'integer' });
  const wide = of({ type: 'number' });
  const found = (before: JsonObject, after: JsonObject) =>
    (['none', 'backward', 'forward', 'full'] as const).map(
      (mode) => breaches(before, after, mode).length,
    );
  expect(found(narrow, wide)).toEqual([0, 0, 1, 1]);
  expect(found(wide, narrow)).toEqual([0, 1, 0, 1]);
  expect(found(wide, wide)).toEqual([0, 0, 0, 0]);
});

test.each(['backward', 'forward', 'full'] as const)(
  '%s does not hold between content in the clear and content that is encrypted',
  (compatibilityMode) => {
    const [clear, encrypted] = (['cleartext', 'encrypted'] as const).map((operatingMode) =>
      completeManifest(
        { type: 't', completionSchema: {}, operatingMode, compatibilityMode },
        { orgSlug: 'acme', nextVersion: 1 },
      ),
    );
    expect(
      [compatibilityBreaches(clear!, encrypted!), compatibilityBreaches(encrypted!, clear!)].map(
        (errors) => errors.map((error) => error.path),
      ),
    ).toEqual([['/operatingMode'], ['/operatingMode']]);
    expect(compatibilityBreaches(clear!, { ...encrypted!, compatibilityMode: 'none' })).toEqual([]);
  },
);

test('both schemas of the manifest are compared', () => {
  const [before, after] = [{ type: 'number' }, { type: 'string' }].map((completionSchema) =>
    completeManifest({ type: 't', completionSchema }, { orgSlug: 'acme', nextVersion: 1 }),
  );
  expect(compatibilityBreaches(before!, after!).map((error) => error.path)).toEqual([
    '/completionSchema/type',
  ]);
});

test('schemas that offer each of many alternatives to each of many others end with an answer', () => {
  const many = (offset: number): JsonObject => ({
    anyOf: Array.from({ length: 1500 }, (_, i) => ({ type: 'string', maxLength: i + offset })),
  });
  expect(breaches(of(many(2000)), of(many(0))).length).toBeGreaterThan(0);
});
