import { CelFault } from './cel-fault.ts';
import {
  celList,
  celMap,
  type CelUint,
  isCelUint,
  type CelInput,
  type CelList,
  type CelMap,
  type CelValue,
} from '@bufbuild/cel';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';

/**
 * A JSON value in CEL.
 *
 * Every number becomes a double, as CEL's own mapping of JSON says. Turning whole numbers into ints would
 * make the type depend on the value: `evidence.price * 2` would work for 100 and fail for 99.5, and
 * `evidence.done / evidence.total` would silently divide as integers. Comparisons are across numeric types
 * (`evidence.score >= 80`), arithmetic is not (`evidence.score * 2.0`).
 */
export const toCelValue = (value: JsonValue): CelInput => {
  // RFC 8785 writes -0 as 0, and so reads whoever evaluates a gate again.
  if (value === 0) return 0;
  if (typeof value !== 'object' || value === null) return value;
  const known = converted.get(value);
  if (known !== undefined) return known;
  const made = Array.isArray(value)
    ? jsonList(value as readonly JsonValue[])
    : mapWithNulls(new JsonMembers(value as JsonObject));
  converted.set(value, made);
  return made;
};

/** Converts lazily: content may be large, and expressions read only a small part of it. */
const converted = new WeakMap<object, CelInput>();

const jsonList = (items: readonly JsonValue[]): CelList => {
  const values = function* (): Generator<CelValue> {
    for (const item of items) yield toCelValue(item) as CelValue;
  };
  const list: FlatList = celList(items);
  return Object.defineProperties(list, {
    get: {
      value: (index: number) =>
        index < 0 || index >= items.length ? undefined : toCelValue(items[index]!),
    },
    values: { value: values },
    [Symbol.iterator]: { value: values },
    [ELEMENTS]: { get: () => items.map(toCelValue) },
  });
};

/** The part of the Map interface that the library uses. */
class JsonMembers extends Map<string, CelInput> {
  private names: readonly string[] | undefined;

  constructor(private readonly object: JsonObject) {
    super();
  }

  override get size(): number {
    return this.list().length;
  }

  override has(name: string): boolean {
    return Object.hasOwn(this.object, name);
  }

  override get(name: string): CelInput | undefined {
    return typeof name === 'string' && Object.hasOwn(this.object, name)
      ? toCelValue(this.object[name]!)
      : undefined;
  }

  /** In the order of RFC 8785, which is how the content is sealed. */
  override keys(): MapIterator<string> {
    return [...this.list()].sort().values();
  }

  override *entries(): MapIterator<[string, CelInput]> {
    for (const name of this.list()) yield [name, toCelValue(this.object[name]!)];
  }

  override *values(): MapIterator<CelInput> {
    for (const name of this.list()) yield toCelValue(this.object[name]!);
  }

  override [Symbol.iterator](): MapIterator<[string, CelInput]> {
    return this.entries();
  }

  override forEach(
    visit: (value: CelInput, name: string, map: Map<string, CelInput>) => void,
  ): void {
    for (const [name, value] of this.entries()) visit(value, name, this);
  }

  private list(): readonly string[] {
    return (this.names ??= Object.keys(this.object));
  }
}

const ELEMENTS = Symbol('elements');
type FlatList = CelList & { [ELEMENTS]?: readonly CelInput[] };

/** A list that gives its elements back without conversion. */
export const flatList = (elements: readonly CelInput[]): CelList => {
  const list: FlatList = celList(elements);
  list[ELEMENTS] = elements;
  return list;
};

export const elementsOf = (list: FlatList): readonly CelInput[] =>
  list[ELEMENTS] ?? Array.from<CelValue>(list);

/**
 * The library treats a member that is null as missing; `has(evidence.note)` and `in` must see it.
 */
const mapWithNulls = (members: ReadonlyMap<CelKey, CelInput>): CelMap => {
  const map = celMap(members);
  return Object.defineProperty(map, 'has', {
    value: (key: CelKey) => map.get(key) !== undefined,
  });
};

type CelKey = string | bigint | boolean | CelUint;

/** A map that an expression spells. 1 and 1u are the same key. */
export const literalMap = (keys: readonly CelValue[], values: readonly CelInput[]): CelMap => {
  const seen = new Set(keys.map((key) => (isCelUint(key) ? key.value : key)));
  if (seen.size < keys.length) throw new CelFault('a map has the same key twice');
  return mapWithNulls(new Map(keys.map((key, i) => [key as CelKey, values[i]!])));
};
