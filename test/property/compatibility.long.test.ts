import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AjvSchemaValidator } from '../../adapters/json-schema/ajv-schema-validator.ts';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import { schemaBoundBreaches } from '../../domain/record-type/schema-bounds.ts';
import { narrowings } from '../../domain/record-type/schema-inclusion.ts';

const RUNS = 1000;
const NAMES = ['a', 'b', 'c'];
const small = fc.integer({ min: -2, max: 3 });
const value: fc.Arbitrary<JsonValue> = fc.oneof(
  small,
  fc.constantFrom<JsonValue>('', 'x', 'xy', null, true, false, 0.5),
);

const optional = (shape: Record<string, fc.Arbitrary<JsonValue>>): fc.Arbitrary<JsonObject> =>
  fc.record(shape, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;

const { schema } = fc.letrec<{ schema: JsonObject; sub: JsonValue }>((tie) => ({
  sub: fc.oneof(
    { weight: 8, arbitrary: tie('schema') },
    { weight: 1, arbitrary: fc.boolean() },
    { weight: 1, arbitrary: fc.constant({ $ref: '#/$defs/d' }) },
  ),
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    optional({
      type: fc.constantFrom<JsonValue>('string', 'integer', 'number', 'null', 'boolean'),
    }),
    optional({
      enum: fc.uniqueArray(value, {
        minLength: 1,
        maxLength: 4,
        comparator: (a, b) => JSON.stringify(a) === JSON.stringify(b),
      }),
    }),
    fc.record({ const: value }) as fc.Arbitrary<JsonObject>,
    optional({
      minimum: small,
      exclusiveMaximum: small,
      multipleOf: fc.constantFrom(1, 2, 0.5, 0.1, 0.3),
    }).map((limits) => ({ type: 'number', ...limits })),
    optional({
      minLength: fc.nat(3),
      maxLength: fc.nat(3),
      pattern: fc.constantFrom('^x', 'y'),
    }).map((limits) => ({ type: 'string', ...limits })),
    optional({
      properties: fc.dictionary(fc.constantFrom(...NAMES), tie('sub'), { maxKeys: 3 }),
      patternProperties: fc.dictionary(fc.constantFrom('^[ab]$', 'c'), tie('sub'), { maxKeys: 2 }),
      additionalProperties: tie('sub'),
      required: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 }),
      minProperties: fc.nat(2),
      maxProperties: fc.nat(3),
      propertyNames: fc.constantFrom<JsonValue>(
        { type: 'string', maxLength: 1 },
        { type: 'string', pattern: '[ab]' },
      ),
      dependentRequired: fc.constantFrom<JsonValue>({ a: ['b'] }, { a: ['b', 'c'] }),
    }).map((members) => ({ type: 'object', ...members })),
    optional({
      prefixItems: fc.array(tie('sub'), { minLength: 1, maxLength: 2 }),
      items: tie('sub'),
      minItems: fc.nat(2),
      maxItems: fc.nat(3),
      contains: tie('sub'),
      uniqueItems: fc.boolean(),
    }).map((items) => ({ type: 'array', maxItems: 9, ...items })),
    optional({
      allOf: fc.array(tie('sub'), { minLength: 1, maxLength: 2 }),
      anyOf: fc.array(tie('sub'), { minLength: 1, maxLength: 3 }),
      oneOf: fc.array(tie('sub'), { minLength: 1, maxLength: 2 }),
      not: tie('sub'),
    }),
    optional({ if: tie('sub'), then: tie('sub'), else: tie('sub') }),
  ),
}));

const CHANGES: readonly JsonValue[] = [
  true,
  false,
  {},
  { type: 'integer' },
  { type: 'number' },
  { type: 'string', maxLength: 1 },
  { const: 1 },
  { enum: [1, 'x'] },
  { type: 'number', minimum: 1 },
  { type: 'number', exclusiveMinimum: 1 },
];

/** The same schema with one or two small changes, so that pairs are often compatible and never far apart. */
const neighbour = (root: JsonObject, choices: readonly number[]): JsonObject => {
  const copy = structuredClone<JsonObject>(root);
  for (const choice of choices) {
    const sites: (() => void)[] = [];
    const visit = (node: { [name: string]: JsonValue }): void => {
      for (const [name, member] of Object.entries(node)) {
        if (name === '$ref' || name === 'type') continue;
        if (!Array.isArray(node)) sites.push(() => delete node[name]);
        if (typeof member === 'number') {
          for (const change of [-1, 1])
            if (name !== 'multipleOf')
              sites.push(
                () => (node[name] = Math.max(member + change, name.endsWith('imum') ? -9 : 0)),
              );
            else sites.push(() => (node[name] = change < 0 ? member / 2 : 0.1));
          if (name === 'minimum') sites.push(() => (node.exclusiveMinimum = member));
        } else if (
          typeof member === 'boolean' ||
          (typeof member === 'object' &&
            member !== null &&
            !Array.isArray(member) &&
            !['properties', 'patternProperties', '$defs', 'dependentRequired'].includes(name))
        ) {
          // A copy: a second change would write into the list itself.
          for (const change of CHANGES) sites.push(() => (node[name] = structuredClone(change)));
        }
        if (typeof member === 'object' && member !== null)
          visit(member as { [name: string]: JsonValue });
      }
    };
    visit(copy);
    sites[choice % Math.max(sites.length, 1)]?.();
  }
  return copy;
};

const VALUES: readonly JsonValue[] = [
  -1,
  0,
  1,
  2,
  0.5,
  0.3,
  '',
  'x',
  'xy',
  'yyy',
  null,
  true,
  false,
];
const INSTANCES = [
  ...VALUES,
  {},
  ...NAMES.flatMap((name) => VALUES.map((item) => ({ [name]: item }))),
  ...VALUES.flatMap((item, i) => [
    { a: item, b: VALUES[(i * 5 + 1) % VALUES.length]! },
    { b: item, c: VALUES[(i * 7 + 3) % VALUES.length]! },
    { a: item, b: item, c: item },
  ]),
  [],
  ...VALUES.map((item) => [item]),
  ...VALUES.flatMap((item, i) => [
    [item, VALUES[(i * 5 + 1) % VALUES.length]!],
    [item, item],
    [VALUES[(i * 7 + 3) % VALUES.length]!, item, item],
  ]),
  ...VALUES.flatMap((item) => [
    { a: { a: item } },
    { a: [item] },
    { b: { c: item } },
    [[item]],
    [{ a: item }],
    [0, { b: item }],
  ]),
] as readonly JsonValue[];

const validator = new AjvSchemaValidator();
/** Which instances are valid, or null where the schema cannot be used. */
const judge = (schemaOfSide: JsonObject): boolean[] | null => {
  if (schemaBoundBreaches(schemaOfSide).length > 0) return null;
  try {
    return INSTANCES.map(
      (candidate) =>
        validator.validate(JSON.stringify(schemaOfSide), schemaOfSide, candidate).valid,
    );
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
};

test('what is judged compatible is: whatever was valid under the old schema is valid under the new one', () => {
  let compatible = 0;
  let valid = 0;
  fc.assert(
    fc.property(
      schema,
      schema,
      fc.array(fc.nat(10_000), { minLength: 1, maxLength: 2 }),
      fc.boolean(),
      (root, definition, choices, swapped) => {
        const original: JsonObject = { ...root, $defs: { d: definition } };
        const changed = neighbour(original, choices);
        const [before, after] = swapped ? [changed, original] : [original, changed];
        // Equal ones teach nothing, and most of the time goes into compiling.
        fc.pre(
          JSON.stringify(before) !== JSON.stringify(after) &&
            narrowings(before, after, '').length === 0,
        );
        const [old, now] = [judge(before), judge(after)];
        fc.pre(old !== null && now !== null);
        compatible++;
        INSTANCES.forEach((candidate, i) => {
          if (!old[i]) return;
          valid++;
          if (!now[i]) throw new Error(`lost ${JSON.stringify({ before, after, candidate })}`);
        });
      },
    ),
    { numRuns: RUNS, maxSkipsPerRun: 1000 },
  );
  // The property would hold of a judge that refuses everything.
  expect(compatible).toBe(RUNS);
  expect(valid).toBeGreaterThan(RUNS);
});
