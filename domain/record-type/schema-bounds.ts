import { canonicalDocumentBytes } from '../kernel/canonical-document.ts';
import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import type { FieldError } from '../kernel/errors.ts';
import { appendPointer } from './json-pointer.ts';
import { fault } from './schema-fault.ts';
import { MAX_SCHEMA_BYTES, MAX_SCHEMA_DEPTH, MAX_SCHEMA_ERRORS } from './schema-limits.ts';
import { allSchemas, isKnownKeyword, isSchemaObject, LocalReferences } from './schema-walk.ts';
import { uniqueItemsBreaches } from './unique-items-bound.ts';
import { graphBreaches } from './schema-reference-graph.ts';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/**
 * Checks the cost and the self-containment of a customer's schema, as far as both are known without
 * compiling it. Paths are JSON Pointers from the root of the schema. An empty list means that the
 * schema is within the bounds.
 */
export const schemaBoundBreaches = (schema: JsonObject): readonly FieldError[] => {
  // The depth is checked first, because everything after it recurses.
  if (isDeeperThan(schema, MAX_SCHEMA_DEPTH))
    return [fault('', 'depth', `the schema is nested deeper than ${MAX_SCHEMA_DEPTH} levels`)];
  const size = canonicalDocumentBytes(schema).length;
  if (size > MAX_SCHEMA_BYTES)
    return [
      fault('', 'size', `the schema has ${size} bytes; at most ${MAX_SCHEMA_BYTES} are accepted`),
    ];
  const references = new LocalReferences(schema);
  const errors = [...references.all()].flatMap((sub) =>
    isSchemaObject(sub.schema) ? localBreaches(sub.schema, sub.pointer, references) : [],
  );
  errors.push(...anchorBreaches(schema));
  // The graph is walked only where every reference resolves.
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

const isDeeperThan = (value: JsonValue, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return (
    levels === 0 || Object.values(value).some((item: JsonValue) => isDeeperThan(item, levels - 1))
  );
};
