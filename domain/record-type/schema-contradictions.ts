import type { JsonValue } from '../kernel/canonical-json.ts';
import { commonStep, quotient } from './common-step.ts';
import { appendPointer } from './json-pointer.ts';
import { bound, type Conjunction } from './schema-conjunction.ts';
import { isSchemaObject } from './schema-walk.ts';

/** Why nothing satisfies a schema, and the place that says so. */
export interface Proof {
  readonly reason: string;
  readonly pointer: string;
}

/** The members that an object has to have, each with the place that says so. */
export const requiredOf = (all: Conjunction): ReadonlyMap<string, string> => {
  const required = new Map<string, string>();
  const add = (names: JsonValue | undefined, pointer: string): void => {
    if (Array.isArray(names))
      for (const name of names as readonly string[])
        if (!required.has(name)) required.set(name, pointer);
  };
  for (const { schema, pointer } of all)
    if (isSchemaObject(schema)) add(schema.required, appendPointer(pointer, 'required'));
  for (const [name] of required)
    for (const { schema, pointer } of all) {
      const dependent = isSchemaObject(schema) ? schema.dependentRequired : undefined;
      if (isSchemaObject(dependent) && Object.hasOwn(dependent, name))
        add(dependent[name], appendPointer(pointer, 'dependentRequired'));
    }
  return required;
};

/** The name itself is refused by `propertyNames`. */
export const proveName = (all: Conjunction, name: string): Proof | null => {
  for (const { schema, pointer } of all) {
    const names = isSchemaObject(schema) ? schema.propertyNames : undefined;
    const refused =
      names === false ||
      (isSchemaObject(names) &&
        ((Array.isArray(names.enum) && !(names.enum as readonly JsonValue[]).includes(name)) ||
          (names.const !== undefined && names.const !== name) ||
          (typeof names.maxLength === 'number' && [...name].length > names.maxLength) ||
          (typeof names.minLength === 'number' && [...name].length < names.minLength)));
    if (refused)
      return {
        reason: '"propertyNames" refuses that name',
        pointer: appendPointer(pointer, 'propertyNames'),
      };
  }
  return null;
};

export const crossed = (all: Conjunction, lower: string, upper: string): Proof | null => {
  const least = bound(all, lower, Math.max);
  const most = bound(all, upper, Math.min);
  return least !== null && most !== null && least.value > most.value
    ? {
        reason: `${lower} ${least.value} is more than ${upper} ${most.value}`,
        pointer: least.pointer,
      }
    : null;
};

export const emptyRange = (all: Conjunction, type: 'integer' | 'number'): Proof | null => {
  const least = bound(all, 'minimum', Math.max);
  const above = bound(all, 'exclusiveMinimum', Math.max);
  const most = bound(all, 'maximum', Math.min);
  const below = bound(all, 'exclusiveMaximum', Math.min);
  const floor = Math.max(least?.value ?? -Infinity, above?.value ?? -Infinity);
  const ceiling = Math.min(most?.value ?? Infinity, below?.value ?? Infinity);
  const isAbove = above?.value === floor;
  const isBelow = below?.value === ceiling;
  const steps = stepsIn(all);
  if (
    floor > ceiling ||
    (floor === ceiling && (isAbove || isBelow)) ||
    !hasMultiple(type === 'integer' ? [1, ...steps] : steps, { floor, isAbove, ceiling, isBelow })
  )
    return {
      reason: `no ${type}${steps.length > 0 ? ` that is a multiple of ${steps.slice(0, MAX_LISTED_STEPS).join(' and ')}` : ''} is ${isAbove ? 'above' : 'at least'} ${floor} and ${isBelow ? 'below' : 'at most'} ${ceiling}`,
      pointer: (least ?? above ?? most ?? below)?.pointer ?? '',
    };
  return null;
};

const MAX_LISTED_STEPS = 5;

const stepsIn = (all: Conjunction): readonly number[] =>
  all.flatMap(({ schema }) =>
    isSchemaObject(schema) && typeof schema.multipleOf === 'number' ? [schema.multipleOf] : [],
  );

interface Range {
  readonly floor: number;
  /** The floor itself is excluded. */
  readonly isAbove: boolean;
  readonly ceiling: number;
  /** The ceiling itself is excluded. */
  readonly isBelow: boolean;
}

const hasMultiple = (
  steps: readonly number[],
  { floor, isAbove, ceiling, isBelow }: Range,
): boolean => {
  if (floor === -Infinity || ceiling === Infinity) return true;
  const step = commonStep(steps);
  if (step === null) return true;
  const low = quotient(floor, step);
  const high = quotient(ceiling, step);
  const lowest = low.isExact && !isAbove ? low.floor : low.floor + 1n;
  const highest = high.isExact && isBelow ? high.floor - 1n : high.floor;
  return lowest <= highest;
};
