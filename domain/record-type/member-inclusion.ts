import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import type { FieldError } from '../kernel/errors.ts';
import { appendPointer } from './json-pointer.ts';
import type { SchemaComparison } from './schema-comparison.ts';
import { fault } from './schema-fault.ts';
import { unproved } from './schema-keyword-rules.ts';
import { isTrivial } from './schema-sameness.ts';
import { isSchemaObject, type Schema } from './schema-walk.ts';

export const propertyBreaches = (
  comparison: SchemaComparison,
  wide: JsonObject,
  value: JsonValue | undefined,
  at: string,
): FieldError[] => {
  return Object.entries((value ?? {}) as { [name: string]: Schema }).flatMap(([name, schema]) => {
    const place = { schema, at: appendPointer(at, name) };
    const before = memberOf(wide, 'properties', name);
    if (before !== undefined) return comparison.compare(before, place);
    if (isTrivial(schema)) return [];
    if (hasMembers(wide.patternProperties))
      return [
        fault(
          place.at,
          'properties',
          `the new member ${JSON.stringify(name)} may have matched a pattern before; this cannot be proved compatible`,
        ),
      ];
    if (wide.additionalProperties === undefined || isTrivial(wide.additionalProperties as Schema))
      return [
        fault(
          place.at,
          'properties',
          `the member ${JSON.stringify(name)} could hold anything before, because other members were allowed; describe it as true, or forbid other members first`,
        ),
      ];
    return comparison.compare(wide.additionalProperties as Schema, place);
  });
};

export const patternBreaches = (
  comparison: SchemaComparison,
  wide: JsonObject,
  value: JsonValue | undefined,
  at: string,
): FieldError[] => {
  return Object.entries((value ?? {}) as { [pattern: string]: Schema }).flatMap(
    ([pattern, schema]) => {
      const before = memberOf(wide, 'patternProperties', pattern);
      if (before !== undefined)
        return comparison.compare(before, { schema, at: appendPointer(at, pattern) });
      return isTrivial(schema) ? [] : [unproved(appendPointer(at, pattern), 'patternProperties')];
    },
  );
};

/**
 * Members that `wide` describes by name, by pattern or not at all, and that `narrow` leaves to
 * additionalProperties.
 */
export const additionalBreaches = (
  comparison: SchemaComparison,
  wide: JsonObject,
  narrow: JsonObject,
  at: string,
): FieldError[] => {
  const rest = narrow.additionalProperties as Schema;
  const errors: FieldError[] = [];
  for (const [name, schema] of Object.entries(
    (wide.properties ?? {}) as { [name: string]: Schema },
  )) {
    if (memberOf(narrow, 'properties', name) !== undefined || comparison.holds(schema, rest))
      continue;
    const removed = appendPointer(
      appendPointer(at.slice(0, at.lastIndexOf('/')), 'properties'),
      name,
    );
    errors.push(
      fault(
        removed,
        'additionalProperties',
        `the member ${JSON.stringify(name)} was described before and is not accepted as it was any more`,
      ),
    );
  }
  for (const [pattern, schema] of Object.entries(
    (wide.patternProperties ?? {}) as { [pattern: string]: Schema },
  ))
    if (
      memberOf(narrow, 'patternProperties', pattern) === undefined &&
      !comparison.holds(schema, rest)
    )
      errors.push(
        fault(
          at,
          'additionalProperties',
          `members that match ${JSON.stringify(pattern)} were described before and are not accepted as they were any more`,
        ),
      );
  const before =
    wide.additionalProperties === undefined ? true : (wide.additionalProperties as Schema);
  if (rest === false)
    return before === false
      ? errors
      : [
          ...errors,
          fault(
            at,
            'additionalProperties',
            'other members were allowed before and are forbidden now',
          ),
        ];
  return [...errors, ...comparison.compare(before, { schema: rest, at })];
};

const memberOf = (
  schema: JsonObject,
  keyword: 'properties' | 'patternProperties',
  name: string,
): Schema | undefined => {
  const map = schema[keyword];
  return isSchemaObject(map) && Object.hasOwn(map, name) ? (map[name] as Schema) : undefined;
};

const hasMembers = (value: JsonValue | undefined): boolean =>
  isSchemaObject(value) && Object.keys(value).length > 0;
