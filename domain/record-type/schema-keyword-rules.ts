import { canonicalJson, type JsonObject, type JsonValue } from '../kernel/canonical-json.ts';
import { isMultipleOf } from '../kernel/decimal.ts';
import type { FieldError } from '../kernel/errors.ts';
import { appendPointer } from './json-pointer.ts';
import { fault } from './schema-fault.ts';
import { isSchemaObject } from './schema-walk.ts';

/**
 * What one schema object implies for a single keyword of another, for the keywords that hold no
 * subschema. `wide` is what was accepted before; `value` is what is required now. See
 * schema-inclusion.ts.
 */
const ALL_TYPES = ['null', 'boolean', 'object', 'array', 'number', 'string'] as const;
export type JsonType = (typeof ALL_TYPES)[number] | 'integer';

/** The types that an instance can have, or null where anything goes. */
export const typesOf = (schema: JsonObject): readonly JsonType[] | null => {
  if (schema.type !== undefined)
    return (Array.isArray(schema.type) ? schema.type : [schema.type]) as readonly JsonType[];
  if (schema.const !== undefined) return [typeOf(schema.const)];
  return Array.isArray(schema.enum) ? schema.enum.map(typeOf) : null;
};

const typeOf = (value: JsonValue): JsonType => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as JsonType;
};

export const typeBreaches = (
  wide: JsonObject,
  value: JsonValue | undefined,
  at: string,
): FieldError[] => {
  const accepted = new Set<unknown>(Array.isArray(value) ? value : [value]);
  const lost = (typesOf(wide) ?? ALL_TYPES).filter(
    (type) => !accepted.has(type) && !(type === 'integer' && accepted.has('number')),
  );
  return lost.length === 0
    ? []
    : [fault(at, 'type', `the type ${[...new Set(lost)].join(', ')} was accepted before`)];
};

export const valueBreaches = (
  wide: JsonObject,
  accepted: readonly JsonValue[],
  keyword: string,
  at: string,
): FieldError[] => {
  const before =
    wide.const !== undefined
      ? [wide.const]
      : Array.isArray(wide.enum)
        ? (wide.enum as readonly JsonValue[])
        : null;
  if (before === null) return [fault(at, keyword, `the values were not limited to a list before`)];
  const known = new Set(accepted.map((value) => canonicalJson(value)));
  const lost = before.filter((value) => !known.has(canonicalJson(value)));
  return lost.length === 0
    ? []
    : [
        fault(
          at,
          keyword,
          `${lost
            .slice(0, 5)
            .map((value) => JSON.stringify(value))
            .join(', ')} was accepted before`,
        ),
      ];
};

const namesIn = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? (value as readonly string[]) : [];

export const requiredBreaches = (
  wide: JsonObject,
  value: JsonValue | undefined,
  at: string,
): FieldError[] => {
  const before = new Set(namesIn(wide.required));
  return namesIn(value).flatMap((name, i) =>
    before.has(name)
      ? []
      : [
          fault(
            appendPointer(at, i),
            'required',
            `the member ${JSON.stringify(name)} was optional before`,
          ),
        ],
  );
};

export const dependentRequiredBreaches = (
  wide: JsonObject,
  value: JsonValue | undefined,
  at: string,
): FieldError[] =>
  Object.entries((value ?? {}) as { [name: string]: JsonValue }).flatMap(([name, needed]) => {
    const map = wide.dependentRequired;
    const before = new Set([
      ...namesIn(wide.required),
      ...(isSchemaObject(map) && Object.hasOwn(map, name) ? namesIn(map[name]) : []),
    ]);
    return namesIn(needed).every((other) => before.has(other))
      ? []
      : [
          fault(
            appendPointer(at, name),
            'dependentRequired',
            `the member ${JSON.stringify(name)} needs others that it did not need before`,
          ),
        ];
  });

const numberIn = (schema: JsonObject, keyword: string): number | undefined => {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
};
const atLeast =
  (keyword: string) =>
  (wide: JsonObject, value: JsonValue | undefined): boolean =>
    (value as number) <= 0 || (numberIn(wide, keyword) ?? -1) >= (value as number);
const atMost =
  (keyword: string) =>
  (wide: JsonObject, value: JsonValue | undefined): boolean =>
    (numberIn(wide, keyword) ?? Infinity) <= (value as number);

/** Whether what `wide` says implies the limit. */
export const LIMITS: ReadonlyMap<
  string,
  (wide: JsonObject, value: JsonValue | undefined) => boolean
> = new Map([
  [
    'minimum',
    (wide, value) =>
      (numberIn(wide, 'minimum') ?? -Infinity) >= (value as number) ||
      (numberIn(wide, 'exclusiveMinimum') ?? -Infinity) >= (value as number),
  ],
  [
    'exclusiveMinimum',
    (wide, value) =>
      (numberIn(wide, 'minimum') ?? -Infinity) > (value as number) ||
      (numberIn(wide, 'exclusiveMinimum') ?? -Infinity) >= (value as number),
  ],
  [
    'maximum',
    (wide, value) =>
      (numberIn(wide, 'maximum') ?? Infinity) <= (value as number) ||
      (numberIn(wide, 'exclusiveMaximum') ?? Infinity) <= (value as number),
  ],
  [
    'exclusiveMaximum',
    (wide, value) =>
      (numberIn(wide, 'maximum') ?? Infinity) < (value as number) ||
      (numberIn(wide, 'exclusiveMaximum') ?? Infinity) <= (value as number),
  ],
  ['multipleOf', (wide, value) => isStepImplied(wide, value as number)],
  ['minLength', atLeast('minLength')],
  ['maxLength', atMost('maxLength')],
  ['minItems', atLeast('minItems')],
  ['maxItems', atMost('maxItems')],
  ['minProperties', atLeast('minProperties')],
  ['maxProperties', atMost('maxProperties')],
]);

/** Exact, because the validator decides on the same decimals. */
const isStepImplied = (wide: JsonObject, step: number): boolean => {
  const isInteger = typesOf(wide)?.includes('number') === false;
  return [numberIn(wide, 'multipleOf'), isInteger ? 1 : undefined].some(
    (before) => before !== undefined && isMultipleOf(before, step),
  );
};

export const KEYWORD_TYPES: ReadonlyMap<string, readonly JsonType[]> = new Map<
  string,
  readonly JsonType[]
>([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].map(
    (keyword): [string, readonly JsonType[]] => [keyword, ['number', 'integer']],
  ),
  ...['minLength', 'maxLength', 'pattern'].map((keyword): [string, readonly JsonType[]] => [
    keyword,
    ['string'],
  ]),
  ['format', ['string', 'number', 'integer']],
  ...[
    'minItems',
    'maxItems',
    'uniqueItems',
    'items',
    'prefixItems',
    'contains',
    'minContains',
    'maxContains',
    'unevaluatedItems',
  ].map((keyword): [string, readonly JsonType[]] => [keyword, ['array']]),
  ...[
    'required',
    'properties',
    'patternProperties',
    'additionalProperties',
    'propertyNames',
    'minProperties',
    'maxProperties',
    'dependentRequired',
    'dependentSchemas',
    'unevaluatedProperties',
  ].map((keyword): [string, readonly JsonType[]] => [keyword, ['object']]),
]);

export const unproved = (path: string, keyword: string): FieldError =>
  fault(
    path,
    keyword,
    `${keyword} differs from before, and it cannot be proved that nothing is lost`,
  );
