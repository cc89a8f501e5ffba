import { canonicalJsonBytes, type JsonObject, type JsonValue } from '../kernel/canonical-json.ts';
import type { FieldError } from '../kernel/errors.ts';
import { appendPointer } from './json-pointer.ts';
import {
  allSchemas,
  isKnownKeyword,
  isSchemaObject,
  LocalReferences,
  subSchemas,
  type SubSchema,
} from './schema-walk.ts';

export const MAX_SCHEMA_BYTES = 256 * 1024;
export const MAX_SCHEMA_DEPTH = 32;
export const MAX_REF_EXPANSIONS = 10_000;
export const MAX_UNIQUE_ITEMS = 1_000;
export const MAX_SCHEMA_ERRORS = 100;

const MAX_REF_CHAIN = 500;
const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/**
 * What can be told about the cost and the self-containment of a customer's schema without compiling it.
 * Paths are JSON Pointers from the root of the schema. Empty: within the bounds.
 */
export const schemaBoundBreaches = (schema: JsonObject): readonly FieldError[] => {
  // Depth first: everything after it recurses.
  if (isDeeperThan(schema, MAX_SCHEMA_DEPTH))
    return [fault('', 'depth', `the schema is nested deeper than ${MAX_SCHEMA_DEPTH} levels`)];
  const size = canonicalJsonBytes(schema).length;
  if (size > MAX_SCHEMA_BYTES)
    return [
      fault('', 'size', `the schema has ${size} bytes; at most ${MAX_SCHEMA_BYTES} are accepted`),
    ];
  const references = new LocalReferences(schema);
  const errors = [...references.all()].flatMap((sub) =>
    isSchemaObject(sub.schema) ? localBreaches(sub.schema, sub.pointer, references) : [],
  );
  errors.push(...anchorBreaches(schema));
  // The graph is only worth walking when every reference leads somewhere.
  return errors.length > 0 ? errors.slice(0, MAX_SCHEMA_ERRORS) : graphBreaches(schema, references);
};

const localBreaches = (
  schema: JsonObject,
  pointer: string,
  references: LocalReferences,
): FieldError[] => [
  ...Object.keys(schema)
    .filter((keyword) => !isKnownKeyword(keyword))
    .map((keyword) =>
      fault(
        appendPointer(pointer, keyword),
        'unknown-keyword',
        `${JSON.stringify(keyword)} is not a keyword of JSON Schema 2020-12`,
      ),
    ),
  ...identifierBreaches(schema, pointer),
  ...referenceBreaches(schema, pointer, references),
  ...['properties', 'patternProperties', 'dependentSchemas', 'dependentRequired']
    .filter(
      (keyword) => isSchemaObject(schema[keyword]) && Object.hasOwn(schema[keyword], '__proto__'),
    )
    .map((keyword) =>
      fault(
        appendPointer(appendPointer(pointer, keyword), '__proto__'),
        keyword,
        'a schema cannot describe a member named __proto__',
      ),
    ),
  ...uniqueItemsBreaches(schema, pointer, references),
];

const identifierBreaches = (schema: JsonObject, pointer: string): FieldError[] => {
  const errors: FieldError[] = [];
  if (schema.$id !== undefined && pointer !== '')
    errors.push(
      fault(
        appendPointer(pointer, '$id'),
        '$id',
        'only the root of a schema may carry $id; name parts with $defs and $anchor',
      ),
    );
  if (
    schema.$schema !== undefined &&
    (pointer !== '' || (schema.$schema !== DRAFT && schema.$schema !== `${DRAFT}#`))
  )
    errors.push(
      fault(
        appendPointer(pointer, '$schema'),
        '$schema',
        `$schema may stand at the root only and must be ${DRAFT}`,
      ),
    );
  return errors;
};

const referenceBreaches = (
  schema: JsonObject,
  pointer: string,
  references: LocalReferences,
): FieldError[] =>
  ['$ref', '$dynamicRef'].flatMap((keyword) => {
    const reference = schema[keyword];
    if (typeof reference !== 'string' || references.resolve(reference) !== undefined) return [];
    const message = reference.startsWith('#')
      ? `${JSON.stringify(reference)} leads to no subschema of this schema`
      : `${JSON.stringify(reference)} leaves this schema; nothing is fetched, so only references that begin with # are accepted`;
    return [fault(appendPointer(pointer, keyword), keyword, message)];
  });

const anchorBreaches = (root: JsonObject): FieldError[] => {
  const seen = new Set<unknown>();
  return allSchemas(root).flatMap(({ schema, pointer }) =>
    ['$anchor', '$dynamicAnchor'].flatMap((keyword) => {
      const anchor = isSchemaObject(schema) ? schema[keyword] : undefined;
      if (anchor === undefined) return [];
      const repeated = seen.has(anchor);
      seen.add(anchor);
      return repeated
        ? [
            fault(
              appendPointer(pointer, keyword),
              keyword,
              `the anchor ${JSON.stringify(anchor)} stands twice`,
            ),
          ]
        : [];
    }),
  );
};

/** Comparing n arbitrary items pair by pair is quadratic; scalars can be hashed. */
const uniqueItemsBreaches = (
  schema: JsonObject,
  pointer: string,
  references: LocalReferences,
): FieldError[] => {
  if (schema.uniqueItems !== true) return [];
  if (typeof schema.maxItems === 'number' && schema.maxItems <= MAX_UNIQUE_ITEMS) return [];
  const prefix: readonly JsonValue[] = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  if (
    schema.items !== undefined &&
    [...prefix, schema.items].every((item) => isScalarSchema(item, references, 0))
  )
    return [];
  return [
    fault(
      appendPointer(pointer, 'uniqueItems'),
      'uniqueItems',
      `uniqueItems needs items of a scalar type, or maxItems of at most ${MAX_UNIQUE_ITEMS}`,
    ),
  ];
};

const SCALARS: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'null']);

const isScalarSchema = (
  schema: JsonValue | undefined,
  references: LocalReferences,
  hops: number,
): boolean => {
  if (schema === false) return true;
  if (!isSchemaObject(schema) || hops > MAX_SCHEMA_DEPTH) return false;
  if (schema.type !== undefined)
    return (Array.isArray(schema.type) ? schema.type : [schema.type]).every((type) =>
      SCALARS.has(type),
    );
  if (Array.isArray(schema.enum))
    return schema.enum.every((value) => typeof value !== 'object' || value === null);
  if (schema.const !== undefined) return typeof schema.const !== 'object' || schema.const === null;
  return references
    .targetsOf(schema)
    .some((target) => isScalarSchema(target.schema, references, hops + 1));
};

/**
 * Follows every reference: how often they would be expanded (a reference back into itself counts once), how
 * long a chain of them grows, and whether one comes back to its start without having descended into the
 * instance, which would never end.
 */
const graphBreaches = (root: JsonObject, references: LocalReferences): FieldError[] => {
  const expansions = new Map<string, number>();
  const open = new Set<string>();
  const count = (sub: SubSchema, chain: number): number => {
    if (!isSchemaObject(sub.schema) || open.has(sub.pointer)) return 0;
    const known = expansions.get(sub.pointer);
    if (known !== undefined) return known;
    if (chain > MAX_REF_CHAIN) throw new ChainTooLong(sub.pointer);
    open.add(sub.pointer);
    let sum = 0;
    for (const target of references.targetsOf(sub.schema)) sum += 1 + count(target, chain + 1);
    for (const child of subSchemas(sub.schema, sub.pointer))
      if (child.reach !== 'detached') sum += count(child, chain);
    open.delete(sub.pointer);
    const capped = Math.min(sum, MAX_REF_EXPANSIONS + 1);
    expansions.set(sub.pointer, capped);
    return capped;
  };
  try {
    if (count({ pointer: '', schema: root, reach: 'in-place' }, 0) > MAX_REF_EXPANSIONS)
      return [
        fault(
          '',
          '$ref',
          `the references of the schema expand more than ${MAX_REF_EXPANSIONS} times`,
        ),
      ];
  } catch (error) {
    if (error instanceof ChainTooLong)
      return [
        fault(
          error.message,
          '$ref',
          `references follow one another more than ${MAX_REF_CHAIN} times`,
        ),
      ];
    throw error;
  }
  const endless = endlessReference(references);
  return endless === undefined
    ? []
    : [
        fault(
          endless,
          '$ref',
          'the reference comes back to itself without descending into the instance, so that validation would never end',
        ),
      ];
};

class ChainTooLong extends Error {}

/** Depth-first search for a cycle of in-place steps; iterative, since a schema may hold thousands of them in a row. */
const endlessReference = (references: LocalReferences): string | undefined => {
  const done = new Set<string>();
  for (const start of references.all()) {
    if (done.has(start.pointer)) continue;
    const path = new Set<string>();
    const stack: { sub: SubSchema; next: SubSchema[] }[] = [];
    const enter = (sub: SubSchema): void => {
      path.add(sub.pointer);
      const next = isSchemaObject(sub.schema)
        ? [
            ...references.targetsOf(sub.schema),
            ...subSchemas(sub.schema, sub.pointer).filter((child) => child.reach === 'in-place'),
          ]
        : [];
      stack.push({ sub, next });
    };
    enter(start);
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const next = top.next.pop();
      if (next === undefined) {
        stack.pop();
        path.delete(top.sub.pointer);
        done.add(top.sub.pointer);
      } else if (path.has(next.pointer)) return top.sub.pointer;
      else if (!done.has(next.pointer)) enter(next);
    }
  }
  return undefined;
};

const isDeeperThan = (value: JsonValue, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return (
    levels === 0 || Object.values(value).some((item: JsonValue) => isDeeperThan(item, levels - 1))
  );
};

const fault = (path: string, keyword: string, message: string): FieldError => ({
  path,
  keyword,
  message,
});
