import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import type { FieldError } from '../kernel/errors.ts';
import { appendPointer } from './json-pointer.ts';
import type { LocalReferences } from './schema-walk.ts';
import { isSchemaObject } from './schema-walk.ts';
import { fault } from './schema-fault.ts';
import { MAX_SCHEMA_DEPTH, MAX_UNIQUE_ITEMS } from './schema-limits.ts';

/** Comparing n arbitrary items pair by pair is quadratic; scalars can be hashed. */
export const uniqueItemsBreaches = (
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
