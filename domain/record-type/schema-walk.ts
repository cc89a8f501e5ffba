import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import { appendPointer } from './json-pointer.ts';

/** A subschema of a JSON Schema 2020-12 document: an object, or one of the boolean schemas. */
export type Schema = boolean | JsonObject;

/** How a subschema applies: to the same instance, to a part of it, or only through a reference. */
export type Reach = 'in-place' | 'part' | 'detached';

export interface SubSchema {
  /** From the root of the document, RFC 6901. */
  readonly pointer: string;
  readonly schema: Schema;
  readonly reach: Reach;
}

/**
 * The direct subschemas of a schema object, in the order of its members. Values that are no schema
 * are skipped.
 */
export const subSchemas = (schema: JsonObject, pointer: string): SubSchema[] =>
  Object.entries(schema).flatMap(([keyword, value]) => {
    const applicator = APPLICATORS.get(keyword);
    return applicator === undefined
      ? []
      : members(applicator.shape, value, appendPointer(pointer, keyword)).map(([at, sub]) => ({
          pointer: at,
          schema: sub,
          reach: applicator.reach,
        }));
  });

/** The schema and all its subschemas, each once, parents first. References are not followed. */
export const allSchemas = (root: Schema): SubSchema[] => {
  const found: SubSchema[] = [{ pointer: '', schema: root, reach: 'in-place' }];
  for (let i = 0; i < found.length; i++) {
    const { schema, pointer } = found[i]!;
    if (isSchemaObject(schema)) found.push(...subSchemas(schema, pointer));
  }
  return found;
};

export const isSchemaObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'boolean' || isSchemaObject(value);

/** Whether a keyword belongs to draft 2020-12 (with `definitions`, which it still tolerates). */
export const isKnownKeyword = (keyword: string): boolean =>
  APPLICATORS.has(keyword) || PLAIN_KEYWORDS.has(keyword);

/** Keywords that describe the schema and do not constrain an instance. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
  'examples',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
]);

/** A subschema that a local reference leads to: `#`, `#/a/pointer` or `#anchor`. */
export class LocalReferences {
  private readonly byPointer = new Map<string, SubSchema>();
  private readonly byAnchor = new Map<string, SubSchema>();

  constructor(root: Schema) {
    for (const sub of allSchemas(root)) {
      this.byPointer.set(sub.pointer, sub);
      if (!isSchemaObject(sub.schema)) continue;
      for (const keyword of ['$anchor', '$dynamicAnchor']) {
        const anchor = sub.schema[keyword];
        if (typeof anchor === 'string') this.byAnchor.set(anchor, sub);
      }
    }
  }

  all(): Iterable<SubSchema> {
    return this.byPointer.values();
  }

  /** Undefined where the reference leaves the document or leads to something that is not a schema. */
  resolve(reference: string): SubSchema | undefined {
    if (!reference.startsWith('#')) return undefined;
    const fragment = decodeFragment(reference.slice(1));
    return fragment === '' || fragment.startsWith('/')
      ? this.byPointer.get(fragment)
      : this.byAnchor.get(fragment);
  }

  /**
   * The targets of a schema's own `$ref` and `$dynamicRef`. Without embedded `$id`s, a dynamic
   * reference has one target only.
   */
  targetsOf(schema: JsonObject): SubSchema[] {
    return ['$ref', '$dynamicRef'].flatMap((keyword) => {
      const reference = schema[keyword];
      const target = typeof reference === 'string' ? this.resolve(reference) : undefined;
      return target === undefined ? [] : [target];
    });
  }
}

const decodeFragment = (fragment: string): string => {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
};

type Shape = 'schema' | 'list' | 'map';

const APPLICATORS: ReadonlyMap<string, { readonly shape: Shape; readonly reach: Reach }> = new Map([
  ['allOf', { shape: 'list', reach: 'in-place' }],
  ['anyOf', { shape: 'list', reach: 'in-place' }],
  ['oneOf', { shape: 'list', reach: 'in-place' }],
  ['not', { shape: 'schema', reach: 'in-place' }],
  ['if', { shape: 'schema', reach: 'in-place' }],
  ['then', { shape: 'schema', reach: 'in-place' }],
  ['else', { shape: 'schema', reach: 'in-place' }],
  ['dependentSchemas', { shape: 'map', reach: 'in-place' }],
  ['properties', { shape: 'map', reach: 'part' }],
  ['patternProperties', { shape: 'map', reach: 'part' }],
  ['additionalProperties', { shape: 'schema', reach: 'part' }],
  ['propertyNames', { shape: 'schema', reach: 'part' }],
  ['unevaluatedProperties', { shape: 'schema', reach: 'part' }],
  ['prefixItems', { shape: 'list', reach: 'part' }],
  ['items', { shape: 'schema', reach: 'part' }],
  ['contains', { shape: 'schema', reach: 'part' }],
  ['unevaluatedItems', { shape: 'schema', reach: 'part' }],
  ['$defs', { shape: 'map', reach: 'detached' }],
  ['definitions', { shape: 'map', reach: 'detached' }],
  ['contentSchema', { shape: 'schema', reach: 'detached' }],
]);

const PLAIN_KEYWORDS: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$ref',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$comment',
  'type',
  'enum',
  'const',
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxContains',
  'minContains',
  'maxProperties',
  'minProperties',
  'required',
  'dependentRequired',
  'format',
  'contentEncoding',
  'contentMediaType',
  'title',
  'description',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
  'examples',
]);

const members = (shape: Shape, value: JsonValue | undefined, at: string): [string, Schema][] => {
  if (shape === 'schema') return isSchema(value) ? [[at, value]] : [];
  if (shape === 'list')
    return Array.isArray(value)
      ? value.flatMap((item: JsonValue, i): [string, Schema][] =>
          isSchema(item) ? [[appendPointer(at, i), item]] : [],
        )
      : [];
  return isSchemaObject(value)
    ? Object.entries(value).flatMap(([name, item]): [string, Schema][] =>
        isSchema(item) ? [[appendPointer(at, name), item]] : [],
      )
    : [];
};
