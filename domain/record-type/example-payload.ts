import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import { exampleNumber, fitsNumericKeywords } from './example-number.ts';
import { isSchema, isSchemaObject, LocalReferences, type Schema } from './schema-walk.ts';

/**
 * A small instance that shows the shape of a schema: required members only, with the schema's own
 * examples if it gives some. It is usually valid, but patterns, unusual formats and `not` are
 * ignored, so the caller validates it.
 */
export const examplePayload = (schema: JsonObject): JsonValue =>
  new ExampleMaker(schema).make(schema, 0);

export interface TopLevelFields {
  readonly requiredFields: readonly string[];
  readonly optionalFields: readonly string[];
}

/** The members that the schema requires of the instance itself, and those that it only describes. */
export const topLevelFields = (schema: JsonObject): TopLevelFields => {
  const parts = conjuncts(schema, new LocalReferences(schema));
  const required = new Set(parts.flatMap(requiredOf));
  const described = new Set(
    parts.flatMap((part) => (isSchemaObject(part.properties) ? Object.keys(part.properties) : [])),
  );
  return {
    requiredFields: [...required],
    optionalFields: [...described].filter((name) => !required.has(name)),
  };
};

const MAX_DEPTH = 8;
const MAX_NODES = 200;
const MAX_PADDING = 64;
const MAX_ITEMS = 3;

class ExampleMaker {
  private readonly references: LocalReferences;
  private nodes = 0;

  constructor(root: JsonObject) {
    this.references = new LocalReferences(root);
  }

  make(schema: Schema, depth: number): JsonValue {
    if (typeof schema === 'boolean' || depth > MAX_DEPTH || this.nodes > MAX_NODES) return null;
    const parts = conjuncts(schema, this.references);
    this.nodes += parts.length;
    const given = givenValue(parts);
    if (given !== undefined) return given;
    const type = parts.map(firstType).find((name) => name !== undefined) ?? 'object';
    const merged = Object.assign({}, ...parts) as JsonObject;
    switch (type) {
      case 'string':
        return exampleString(merged);
      case 'integer':
      case 'number':
        return exampleNumber(parts, type === 'integer');
      case 'boolean':
        return true;
      case 'null':
        return null;
      case 'array':
        return this.array(merged, depth);
      default:
        return this.object(parts, depth);
    }
  }

  private object(parts: readonly JsonObject[], depth: number): JsonObject {
    const described = new Map<string, Schema>(
      parts.flatMap((part) =>
        isSchemaObject(part.properties)
          ? Object.entries(part.properties).filter((entry): entry is [string, Schema] =>
              isSchema(entry[1]),
            )
          : [],
      ),
    );
    const required = new Set(parts.flatMap(requiredOf));
    // Where no member is required, the described members are shown: an empty object would teach
    // nothing.
    const names = required.size > 0 ? [...required] : [...described.keys()].slice(0, MAX_ITEMS);
    return Object.fromEntries(
      names.map((name) => [name, this.make(described.get(name) ?? { type: 'string' }, depth + 1)]),
    );
  }

  private array(schema: JsonObject, depth: number): JsonValue {
    const prefix = (Array.isArray(schema.prefixItems) ? schema.prefixItems : [])
      .filter(isSchema)
      .map((item) => this.make(item, depth + 1));
    const least = Math.min(numberOf(schema.minItems) ?? 1, MAX_ITEMS);
    const item = isSchemaObject(schema.items)
      ? schema.items
      : isSchemaObject(schema.contains)
        ? schema.contains
        : undefined;
    while (item !== undefined && prefix.length < least) prefix.push(this.make(item, depth + 1));
    return prefix;
  }
}

/**
 * The schema and the schemas that apply to the same instance. Of alternatives, the first is taken.
 */
const conjuncts = (schema: JsonObject, references: LocalReferences): JsonObject[] => {
  const found: JsonObject[] = [schema];
  for (let i = 0; i < found.length && found.length < MAX_NODES; i++) {
    const part = found[i]!;
    const more: unknown[] = references.targetsOf(part).map((target) => target.schema);
    if (Array.isArray(part.allOf)) more.push(...part.allOf);
    for (const choice of [part.anyOf, part.oneOf]) if (Array.isArray(choice)) more.push(choice[0]);
    for (const other of more)
      if (isSchemaObject(other) && !found.includes(other)) found.push(other);
  }
  return found;
};

/** The first value that the parts list, without the numbers that the parts themselves refuse. */
const givenValue = (parts: readonly JsonObject[]): JsonValue | undefined => {
  for (const part of parts)
    for (const value of listedValues(part))
      if (typeof value !== 'number' || fitsNumericKeywords(value, parts)) return value;
  return undefined;
};

const listedValues = (schema: JsonObject): readonly JsonValue[] => {
  if (schema.const !== undefined) return [schema.const];
  for (const list of [schema.enum, schema.examples])
    if (Array.isArray(list) && list.length > 0) return list as readonly JsonValue[];
  return schema.default === undefined ? [] : [schema.default];
};

const firstType = (schema: JsonObject): string | undefined => {
  const type: unknown = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (typeof type === 'string') return type;
  if (schema.properties !== undefined || schema.required !== undefined) return 'object';
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array';
  return undefined;
};

const requiredOf = (schema: JsonObject): string[] =>
  Array.isArray(schema.required)
    ? schema.required.filter((name): name is string => typeof name === 'string')
    : [];

const numberOf = (value: JsonValue | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined;

const FORMATS: ReadonlyMap<unknown, string> = new Map([
  ['date-time', '2026-01-31T12:00:00Z'],
  ['date', '2026-01-31'],
  ['time', '12:00:00Z'],
  ['duration', 'PT1H'],
  ['email', 'someone@example.com'],
  ['hostname', 'example.com'],
  ['uri', 'https://example.com/'],
  ['uri-reference', '/path'],
  ['url', 'https://example.com/'],
  ['uuid', '01890a5d-ac96-774b-bcce-b302099a8057'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
]);

const exampleString = (schema: JsonObject): string => {
  const known = FORMATS.get(schema.format);
  if (known !== undefined) return known;
  const least = Math.min(numberOf(schema.minLength) ?? 0, MAX_PADDING);
  return 'string'.padEnd(least, '-').slice(0, Math.max(numberOf(schema.maxLength) ?? Infinity, 0));
};
