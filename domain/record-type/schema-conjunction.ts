import { canonicalJson, type JsonObject, type JsonValue } from '../kernel/canonical-json.ts';
import { appendPointer } from './json-pointer.ts';
import { isSchema, isSchemaObject, type LocalReferences, type Schema } from './schema-walk.ts';

export type InstanceType =
  'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** All that one instance has to satisfy at once. */
export type Conjunction = readonly Located[];

export interface Located {
  readonly schema: Schema;
  readonly pointer: string;
}

/** The schemas themselves, and what `allOf` and references add to them, each once. */
export const conjunctionOf = (
  schemas: readonly Located[],
  references: LocalReferences,
): Conjunction => {
  const all: Located[] = [];
  const seen = new Set<Schema>();
  const pending = [...schemas];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const { schema, pointer } = next;
    if (isSchemaObject(schema)) {
      if (seen.has(schema)) continue;
      seen.add(schema);
      pending.push(...listed({ schema, pointer }, 'allOf'));
      const target = typeof schema.$ref === 'string' ? references.resolve(schema.$ref) : undefined;
      if (target !== undefined) pending.push(target);
    }
    all.push(next);
  }
  return all;
};

export const listed = (
  { schema, pointer }: { schema: JsonObject; pointer: string },
  keyword: string,
): Located[] => {
  const list = schema[keyword];
  return Array.isArray(list)
    ? (list as readonly JsonValue[]).flatMap((each, i) =>
        isSchema(each)
          ? [{ schema: each, pointer: appendPointer(appendPointer(pointer, keyword), i) }]
          : [],
      )
    : [];
};

/** What these schemas ask of the member. Patterns are left out, so it may be more than this. */
export const memberSchemas = (conjunction: Conjunction, name: string): Located[] =>
  conjunction.flatMap(({ schema, pointer }): Located[] => {
    if (!isSchemaObject(schema)) return [];
    const own = isSchemaObject(schema.properties) ? schema.properties : {};
    if (Object.hasOwn(own, name)) return located(own[name], `${pointer}/properties`, name);
    const patterns = isSchemaObject(schema.patternProperties) ? schema.patternProperties : {};
    return Object.keys(patterns).length > 0
      ? []
      : located(schema.additionalProperties, pointer, 'additionalProperties');
  });

const located = (schema: JsonValue | undefined, pointer: string, name: string): Located[] =>
  isSchema(schema) ? [{ schema, pointer: appendPointer(pointer, name) }] : [];

export const part = ({ schema, pointer }: Located, keyword: string): Located[] =>
  isSchemaObject(schema) ? located(schema[keyword], pointer, keyword) : [];

/** The greatest of the lower bounds, or the least of the upper ones. */
export const bound = (
  conjunction: Conjunction,
  keyword: string,
  pick: (...values: number[]) => number,
): { readonly value: number; readonly pointer: string } | null => {
  let found: { value: number; pointer: string } | null = null;
  for (const { schema, pointer } of conjunction) {
    const value = isSchemaObject(schema) ? schema[keyword] : undefined;
    if (typeof value === 'number' && (found === null || pick(value, found.value) !== found.value))
      found = { value, pointer: appendPointer(pointer, keyword) };
  }
  return found;
};

/** The values that every `enum` and `const` holds, or null where there is none of them. */
export const listedValues = (
  conjunction: Conjunction,
): { readonly values: readonly JsonValue[]; readonly pointer: string } | null => {
  let values: ReadonlyMap<string, JsonValue> | null = null;
  let at = '';
  for (const { schema, pointer } of conjunction) {
    if (!isSchemaObject(schema)) continue;
    for (const keyword of ['const', 'enum']) {
      const listed = schema[keyword];
      if (listed === undefined || (keyword === 'enum' && !Array.isArray(listed))) continue;
      const allowed: ReadonlyMap<string, JsonValue> = new Map(
        (keyword === 'enum' ? (listed as readonly JsonValue[]) : [listed]).map((value) => [
          canonicalJson(value),
          value,
        ]),
      );
      values = values === null ? allowed : common(values, allowed);
      at = appendPointer(pointer, keyword);
    }
  }
  return values === null ? null : { values: [...values.values()], pointer: at };
};

const common = (
  values: ReadonlyMap<string, JsonValue>,
  allowed: ReadonlyMap<string, JsonValue>,
): ReadonlyMap<string, JsonValue> => new Map([...values].filter(([text]) => allowed.has(text)));

export const typeOfValue = (value: JsonValue): InstanceType =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : typeof value === 'number'
        ? Number.isInteger(value)
          ? 'integer'
          : 'number'
        : (typeof value as InstanceType);
