import { celList, celMap, type CelInput, type CelList, type CelMap, type CelValue } from '@bufbuild/cel';
import type { JsonValue } from '../../domain/kernel/canonical-json.ts';

/**
 * A JSON value in CEL.
 *
 * Every number becomes a double, as CEL's own mapping of JSON says. Turning whole numbers into ints would
 * make the type depend on the value: `evidence.price * 2` would work for 100 and fail for 99.5, and
 * `evidence.done / evidence.total` would silently divide as integers. Comparisons are across numeric types
 * anyway (`evidence.score >= 80`), and cel-functions.ts adds the mixed arithmetic.
 */
export const toCelValue = (value: JsonValue): CelInput => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return flatList((value as readonly JsonValue[]).map(toCelValue));
  return mapWithNulls(new Map(Object.entries(value).map(([name, member]) => [name, toCelValue(member)])));
};

const ELEMENTS = Symbol('elements');

/** A list whose elements can be taken out again at once. */
export const flatList = (elements: readonly CelInput[]): CelList => {
  const list: CelList & { [ELEMENTS]?: readonly CelInput[] } = celList(elements);
  list[ELEMENTS] = elements;
  return list;
};

export const elementsOf = (list: CelList & { [ELEMENTS]?: readonly CelInput[] }): readonly CelInput[] => list[ELEMENTS] ?? Array.from<CelValue>(list);

/** The library takes a member that is null for missing; to `has(evidence.note)` and `in` it is there. */
const mapWithNulls = (members: ReadonlyMap<string, CelInput>): CelMap =>
  Object.defineProperty(celMap(members), 'has', { value: (key: unknown) => typeof key === 'string' && members.has(key) });
