import { afterAll, describe, expect, test } from 'vitest';
import { AjvSchemaValidator } from '../../adapters/json-schema/ajv-schema-validator.ts';
import { GuardedSchemaValidator } from '../../adapters/json-schema/guarded-schema-validator.ts';
import { SchemaLanes } from '../../adapters/json-schema/schema-lanes.ts';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import type { SchemaValidator } from '../../domain/record-type/schema-validator.port.ts';
import { slowness } from '../support/service/event-loop-gap.ts';

// Cost in the contract of domain/record-type/schema-validator.port.ts

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

  test('hostile: 32,000 numbers and steps as far apart as doubles can be', async () => {
    const numbers = (value: number): JsonValue => Array.from({ length: 32_000 }, () => value);
    const of = (multipleOf: number): JsonObject => ({
      type: 'array',
      items: { type: 'number', multipleOf },
    });
    // Starts the thread.
    await validate(of(1), []);
    const start = process.cpuUsage();
    expect(await isValid(of(0.01), numbers(19.99))).toBe(true);
    expect(await isValid(of(1), numbers(7))).toBe(true);
    expect((await validate(of(5e-324), numbers(1.7e308))).errors).toEqual([
      expect.objectContaining({ keyword: 'cost' }),
    ]);
    expect(await isValid(of(5e-324), [1.7e308])).toBe(true);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000 / slowness()).toBeLessThan(1_000);
  });

  const nested = (depth: number): JsonObject => (depth === 0 ? {} : { c: nested(depth - 1) });
  const noise = Array.from(
    { length: 50_000 },
    (_, i) => 'ab'[(Math.imul(i * i + 7, 2_654_435_761) >>> 13) & 1],
  ).join('');
  test.each<[string, JsonObject, JsonValue]>([
    [
      'a recursion that doubles at each level',
      { type: 'object', properties: { c: { allOf: [{ $ref: '#' }, { $ref: '#' }] } } },
      nested(30),
    ],
    ['a pattern with many states', { type: 'string', pattern: '[ab]*a[ab]{300}[cd]' }, noise],
    [
      'large objects that must differ',
      { type: 'array', uniqueItems: true, maxItems: 1000 },
      Array.from({ length: 100_000 }, (_, i) => ({ name: `item ${i}` })),
    ],
    [
      'many items and many keywords',
      {
        type: 'array',
        items: { allOf: Array.from({ length: 200 }, (_, i) => ({ type: 'integer', minimum: -i })) },
      },
      Array.from({ length: 50_000 }, () => 1),
    ],
    [
      'a long text measured again and again',
      { type: 'string', allOf: Array.from({ length: 2_000 }, () => ({ maxLength: 5 })) },
      'a'.repeat(500_000),
    ],
  ])('hostile: %s is refused after a bounded number of steps', async (_title, schema, value) => {
    expect(await validator.check(schema)).toEqual([]);
    const start = process.cpuUsage();
    expect((await validate(schema, value)).errors).toEqual([
      expect.objectContaining({ path: '', keyword: 'cost' }),
    ]);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000 / slowness()).toBeLessThan(1_000);
  });

  test('30,000 scalars that must differ', async () => {
    const schema: JsonObject = { type: 'array', uniqueItems: true };
    await validate(schema, []);
    const start = process.cpuUsage();
    expect(
      await isValid(
        schema,
        Array.from({ length: 30_000 }, (_, at) => at),
      ),
    ).toBe(true);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000 / slowness()).toBeLessThan(1_000);
  });
});
