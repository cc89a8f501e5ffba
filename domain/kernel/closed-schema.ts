import { canonicalJson, isObject, type JsonObject, type JsonValue } from './canonical-json.ts';
import { isTimestamp } from './timestamp.ts';

/** The first fault that was found: where, and what should be there, in words. */
export interface SchemaFault {
  /** JSON Pointer (RFC 6901); empty for the value itself. */
  readonly pointer: string;
  readonly message: string;
}

/** Null where the value fits. Never throws on a JSON value. */
export type SchemaCheck = (value: JsonValue) => SchemaFault | null;

/**
 * Compiles a JSON Schema (draft 2020-12) that uses the keywords below and no others. It runs wherever the domain runs,
 * a browser included, where no validator library is. Not for schemas that users bring: those may use every keyword.
 *
 * @throws TypeError for a schema with another keyword.
 */
export const compileClosedSchema = (schema: JsonValue): SchemaCheck => {
  const check = compile(schema);
  return (value) => {
    const fault = check(value);
    return fault && { pointer: pointerOf(fault.path), message: fault.message };
  };
};

/** `path` from the inside out, so that a value which fits costs no path at all. */
interface Fault {
  readonly path: string[];
  readonly message: string;
  /** All members that are there have their form. Of several forms, that is the one that was meant. */
  readonly isLate: boolean;
}
type Check = (value: JsonValue) => Fault | null;

const fault = (message: string, isLate = false): Fault => ({ path: [], message, isLate });

const at = (name: string | number, found: Fault): Fault => {
  found.path.push(String(name));
  return found;
};

const compile = (schema: JsonValue): Check => {
  if (schema === true) return () => null;
  if (schema === false) return () => fault('is not allowed here');
  if (!isObject(schema)) throw new TypeError('a schema is an object, true or false');
  const checks: Check[] = [];
  for (const keyword of Object.keys(schema)) {
    const make = KEYWORDS.get(keyword);
    if (!make) throw new TypeError(`the keyword ${keyword} is not one of a closed schema`);
    const check = make(schema);
    if (check) checks.push(check);
  }
  if (checks.length === 1) return checks[0]!;
  return (value) => {
    for (const check of checks) {
      const found = check(value);
      if (found) return found;
    }
    return null;
  };
};

type Keyword = (schema: JsonObject) => Check | null;

const annotation: Keyword = () => null;

/** `then`, `else` and `additionalProperties` are compiled with the keyword that they belong to. */
const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ['$schema', annotation],
  ['$id', annotation],
  ['title', annotation],
  ['description', annotation],
  ['type', ({ type }) => typeCheck(type!)],
  ['enum', ({ enum: values }) => enumCheck(values as readonly JsonValue[])],
  ['const', ({ const: value }) => enumCheck([value!])],
  ['pattern', ({ pattern }) => patternCheck(pattern as string)],
  ['format', ({ format }) => formatCheck(format!)],
  [
    'minLength',
    ({ minLength }) =>
      onText((text) => lengthOf(text) >= (minLength as number), `has fewer than ${minLength}`),
  ],
  [
    'maxLength',
    ({ maxLength }) =>
      onText((text) => lengthOf(text) <= (maxLength as number), `has more than ${maxLength}`),
  ],
  [
    'minimum',
    ({ minimum }) =>
      (value) =>
        typeof value === 'number' && !(value >= (minimum as number))
          ? fault(`is less than ${minimum}`)
          : null,
  ],
  ['items', ({ items }) => itemsCheck(items!)],
  [
    'minItems',
    ({ minItems }) =>
      (value) =>
        Array.isArray(value) && value.length < (minItems as number)
          ? fault(`has fewer than ${minItems} items`)
          : null,
  ],
  [
    'maxItems',
    ({ maxItems }) =>
      (value) =>
        Array.isArray(value) && value.length > (maxItems as number)
          ? fault(`has more than ${maxItems} items`)
          : null,
  ],
  ['required', ({ required }) => requiredCheck(required as readonly string[])],
  ['properties', ({ properties }) => propertiesCheck(properties as JsonObject)],
  ['additionalProperties', additionalCheck],
  ['dependentRequired', ({ dependentRequired }) => dependentCheck(dependentRequired as JsonObject)],
  ['allOf', ({ allOf }) => allOfCheck(allOf as readonly JsonValue[])],
  ['oneOf', ({ oneOf }) => oneOfCheck(oneOf as readonly JsonValue[])],
  ['if', ifCheck],
  ['then', annotation],
  ['else', annotation],
]);

const TYPES: ReadonlyMap<JsonValue, (value: JsonValue) => boolean> = new Map<
  JsonValue,
  (value: JsonValue) => boolean
>([
  ['null', (value) => value === null],
  ['boolean', (value) => typeof value === 'boolean'],
  ['string', (value) => typeof value === 'string'],
  ['number', (value) => typeof value === 'number'],
  ['integer', (value) => Number.isInteger(value)],
  ['array', (value) => Array.isArray(value)],
  ['object', isObject],
]);

const typeCheck = (type: JsonValue): Check => {
  const names = Array.isArray(type) ? (type as readonly JsonValue[]) : [type];
  const tests = names.map((name) => {
    const test = TYPES.get(name);
    if (!test) throw new TypeError(`${String(name)} is no type`);
    return test;
  });
  const message = `is not of the type ${names.join(' or ')}`;
  const [only] = tests;
  if (tests.length === 1) return (value) => (only!(value) ? null : fault(message));
  return (value) => (tests.some((test) => test(value)) ? null : fault(message));
};

const enumCheck = (values: readonly JsonValue[]): Check => {
  const scalars = new Set<JsonValue>(
    values.filter((value) => typeof value !== 'object' || value === null),
  );
  const others = new Set(
    values
      .filter((value) => typeof value === 'object' && value !== null)
      .map((value) => canonicalJson(value)),
  );
  const message =
    values.length === 1 ? `is not ${JSON.stringify(values[0])}` : 'is none of the values';
  return (value) =>
    scalars.has(value) ||
    (others.size > 0 &&
      typeof value === 'object' &&
      value !== null &&
      others.has(canonicalJson(value)))
      ? null
      : fault(message);
};

const patternCheck = (pattern: string): Check => {
  const regex = new RegExp(pattern, 'u');
  return (value) =>
    typeof value === 'string' && !regex.test(value) ? fault(`does not match ${pattern}`) : null;
};

const formatCheck = (format: JsonValue): Check => {
  if (format !== 'date-time')
    throw new TypeError(`${String(format)} is no format of a closed schema`);
  return (value) =>
    typeof value === 'string' && !isTimestamp(value) ? fault('is no date-time in UTC') : null;
};

/** In code points, as JSON Schema counts. */
const lengthOf = (text: string): number => {
  let length = 0;
  for (const _ of text) length++;
  return length;
};

const onText =
  (test: (text: string) => boolean, message: string): Check =>
  (value) =>
    typeof value === 'string' && !test(value) ? fault(`${message} characters`) : null;

const itemsCheck = (items: JsonValue): Check => {
  const check = compile(items);
  return (value) => {
    if (!Array.isArray(value)) return null;
    for (const [index, item] of (value as readonly JsonValue[]).entries()) {
      const found = check(item);
      if (found) return at(index, found);
    }
    return null;
  };
};

const requiredCheck =
  (names: readonly string[]): Check =>
  (value) => {
    if (!isObject(value)) return null;
    for (const name of names) if (!Object.hasOwn(value, name)) return fault(`lacks ${name}`, true);
    return null;
  };

const propertiesCheck = (properties: JsonObject): Check => {
  const checks = Object.entries(properties).map(
    ([name, schema]) => [name, compile(schema)] as const,
  );
  return (value) => {
    if (!isObject(value)) return null;
    for (const [name, check] of checks) {
      if (!Object.hasOwn(value, name)) continue;
      const found = check(value[name]!);
      if (found) return at(name, found);
    }
    return null;
  };
};

function additionalCheck({ properties = {}, additionalProperties }: JsonObject): Check | null {
  if (additionalProperties === true) return null;
  if (additionalProperties !== false)
    throw new TypeError('additionalProperties is true or false in a closed schema');
  const known = new Set(Object.keys(properties as JsonObject));
  return (value) => {
    if (!isObject(value)) return null;
    for (const name of Object.keys(value))
      if (!known.has(name)) return fault(`has the unknown member ${JSON.stringify(name)}`, true);
    return null;
  };
}

const dependentCheck = (dependent: JsonObject): Check => {
  const rules = Object.entries(dependent).map(
    ([name, needed]) => [name, requiredCheck(needed as readonly string[])] as const,
  );
  return (value) => {
    if (!isObject(value)) return null;
    for (const [name, check] of rules) {
      const found = Object.hasOwn(value, name) ? check(value) : null;
      if (found) return found;
    }
    return null;
  };
};

const allOfCheck = (schemas: readonly JsonValue[]): Check => {
  const checks = schemas.map(compile);
  return (value) => {
    for (const check of checks) {
      const found = check(value);
      if (found) return found;
    }
    return null;
  };
};

/** Of a value that fits none, the fault that was found last, or lies deepest, says the most. */
const oneOfCheck = (schemas: readonly JsonValue[]): Check => {
  const checks = schemas.map(compile);
  return (value) => {
    let fitting = 0;
    let deepest: Fault | null = null;
    for (const check of checks) {
      const found = check(value);
      if (!found) fitting++;
      else if (!deepest || saysMore(found, deepest)) deepest = found;
    }
    if (fitting === 1) return null;
    return fitting > 1 ? fault('is of more than one form') : (deepest ?? fault('is of no form'));
  };
};

const saysMore = (a: Fault, b: Fault): boolean =>
  a.isLate === b.isLate ? a.path.length > b.path.length : a.isLate;

function ifCheck({ if: condition, then: yes = true, else: no = true }: JsonObject): Check {
  const test = compile(condition!);
  const whenTrue = compile(yes);
  const whenFalse = compile(no);
  return (value) => (test(value) === null ? whenTrue(value) : whenFalse(value));
}

const pointerOf = (path: readonly string[]): string =>
  path
    .toReversed()
    .map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
