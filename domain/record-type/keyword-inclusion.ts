import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import type { FieldError } from '../kernel/errors.ts';
import { appendPointer } from './json-pointer.ts';
import { additionalBreaches, patternBreaches, propertyBreaches } from './member-inclusion.ts';
import type { SchemaComparison } from './schema-comparison.ts';
import { fault } from './schema-fault.ts';
import {
  dependentRequiredBreaches,
  LIMITS,
  requiredBreaches,
  typeBreaches,
  unproved,
  valueBreaches,
} from './schema-keyword-rules.ts';
import { areEquivalentLists, isEqualKeyword, isSame } from './schema-sameness.ts';
import { isSchema, type Schema } from './schema-walk.ts';

/** Where one keyword of `narrow` does not follow from `wide`. */
export const keywordBreaches = (
  comparison: SchemaComparison,
  keyword: string,
  wide: JsonObject,
  narrow: JsonObject,
  at: string,
): FieldError[] => {
  const value = narrow[keyword];
  const limit = LIMITS.get(keyword);
  if (limit)
    return limit(wide, value)
      ? []
      : [fault(at, keyword, `${keyword} ${JSON.stringify(value)} is narrower than before`)];
  switch (keyword) {
    case '$ref':
    case '$dynamicRef':
      return comparison.reference(wide, narrow, keyword, at);
    case 'type':
      return typeBreaches(wide, value, at);
    case 'enum':
    case 'const':
      return valueBreaches(
        wide,
        keyword === 'const' ? [value as JsonValue] : (value as readonly JsonValue[]),
        keyword,
        at,
      );
    case 'required':
      return requiredBreaches(wide, value, at);
    case 'dependentRequired':
      return dependentRequiredBreaches(wide, value, at);
    case 'properties':
      return propertyBreaches(comparison, wide, value, at);
    case 'patternProperties':
      return patternBreaches(comparison, wide, value, at);
    case 'additionalProperties':
      return additionalBreaches(comparison, wide, narrow, at);
    case 'prefixItems':
      return (value as readonly Schema[]).flatMap((item, i) =>
        comparison.compare(itemAt(wide, i), { schema: item, at: appendPointer(at, i) }),
      );
    case 'items':
      return itemBreaches(comparison, wide, narrow, at);
    case 'propertyNames':
      return isSchema(wide.propertyNames) && comparison.holds(wide.propertyNames, value as Schema)
        ? []
        : [unproved(at, keyword)];
    case 'contains':
    case 'minContains':
    case 'maxContains':
      return ['contains', 'minContains', 'maxContains'].every((name) =>
        isSame(wide[name], narrow[name]),
      )
        ? []
        : [unproved(at, keyword)];
    case 'allOf':
      return (value as readonly Schema[]).flatMap((part, i) =>
        comparison.compare(wide, { schema: part, at: appendPointer(at, i) }),
      );
    case 'anyOf':
      return fitsAnyOf(comparison, wide, value as readonly Schema[]) ? [] : [unproved(at, keyword)];
    case 'oneOf':
      return areEquivalentLists(wide.oneOf, value) ? [] : [unproved(at, keyword)];
    case 'not':
      return isSchema(wide.not) && comparison.isReverseIncluded(wide.not, value as Schema)
        ? []
        : [unproved(at, keyword)];
    case 'if':
    case 'then':
    case 'else':
      return ['if', 'then', 'else'].every((name) => isSame(wide[name], narrow[name]))
        ? []
        : [unproved(at, keyword)];
    default:
      // pattern, format, uniqueItems, dependentSchemas, unevaluated…: proved only where both are
      // equal.
      return isEqualKeyword(keyword, wide, narrow) ? [] : [unproved(at, keyword)];
  }
};

const itemBreaches = (
  comparison: SchemaComparison,
  wide: JsonObject,
  narrow: JsonObject,
  at: string,
): FieldError[] => {
  const rest = { schema: narrow.items as Schema, at };
  const known = Array.isArray(narrow.prefixItems) ? narrow.prefixItems.length : 0;
  const before = Array.isArray(wide.prefixItems) ? wide.prefixItems.slice(known) : [];
  return [
    ...before.flatMap((item: Schema) => comparison.compare(item, rest)),
    ...comparison.compare(wide.items === undefined ? true : (wide.items as Schema), rest),
  ];
};

const itemAt = (schema: JsonObject, index: number): Schema => {
  const prefix = Array.isArray(schema.prefixItems) ? (schema.prefixItems as readonly Schema[]) : [];
  return prefix[index] ?? (schema.items as Schema | undefined) ?? true;
};

/** Each alternative of `wide`, or `wide` as a whole, fits one alternative of `narrow`. */
const fitsAnyOf = (
  comparison: SchemaComparison,
  wide: JsonObject,
  alternatives: readonly Schema[],
): boolean => {
  const fits = (schema: Schema): boolean =>
    alternatives.some((alternative) => comparison.holds(schema, alternative));
  return (
    [wide.anyOf, wide.oneOf].some(
      (choice) => Array.isArray(choice) && choice.every((schema: Schema) => fits(schema)),
    ) || fits(wide)
  );
};
