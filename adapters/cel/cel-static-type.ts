import { ANY, BOOL, DOUBLE, KEYS, type Kinds, LIST, MAP, NULL, STRING } from './cel-kinds.ts';

/** What is known of a value before the evaluation. */
export interface StaticType {
  readonly kinds: Kinds;
  /** The kinds of the keys, where it is a map. */
  readonly keys: Kinds;
  /** The elements of a list and the values of a map. */
  readonly element: StaticType;
}

const recursive = (kinds: Kinds, keys: Kinds): StaticType => {
  const type: { kinds: Kinds; keys: Kinds; element: StaticType } = {
    kinds,
    keys,
    element: undefined as never,
  };
  type.element = type;
  return type;
};

/** Anything: what `dyn(...)` gives. */
export const DYN: StaticType = recursive(ANY, KEYS);

/** What JSON can say. All of its numbers are doubles (cel-spec, "JSON Data Conversion"). */
export const JSON_TYPE: StaticType = recursive(NULL | BOOL | DOUBLE | STRING | LIST | MAP, STRING);

/** The elements of an empty list: none. */
const NONE: StaticType = recursive(0, 0);

export const ofKinds = (kinds: Kinds): StaticType => ({ kinds, keys: 0, element: NONE });

export const listOf = (element: StaticType): StaticType => ({ kinds: LIST, keys: 0, element });

export const mapOf = (keys: Kinds, element: StaticType): StaticType => ({
  kinds: MAP,
  keys,
  element,
});

export const EMPTY_LIST_TYPE = listOf(NONE);

/** Either of them. */
export const either = (a: StaticType, b: StaticType): StaticType => {
  if (a === b || b.kinds === 0) return a;
  if (a === DYN || b === DYN) return DYN;
  if (a.kinds === 0) return b;
  return {
    kinds: a.kinds | b.kinds,
    keys: a.keys | b.keys,
    element: either(a.element, b.element),
  };
};

/** What one finds in it. Nothing is known of the elements of a list that is always empty. */
export const elementOf = (type: StaticType): StaticType =>
  type.element.kinds === 0 ? DYN : type.element;

/** What a comprehension walks: the elements of a list, the keys of a map. */
export const walkedOf = ({ kinds, keys, element }: StaticType): StaticType => {
  const walked = either(
    kinds & LIST ? element : NONE,
    kinds & MAP && keys !== 0 ? ofKinds(keys) : NONE,
  );
  return walked.kinds === 0 ? DYN : walked;
};
