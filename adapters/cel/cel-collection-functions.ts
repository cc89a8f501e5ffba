import { CelFault } from './cel-fault.ts';
import { type CelList, type CelMap, type CelValue } from '@bufbuild/cel';
import { func, method, NoOverload, type Overload } from './cel-function-table.ts';
import { ANY, BOOL, DOUBLE, INT, KEYS, kindOf, LIST, MAP, NUMERIC, STRING } from './cel-kinds.ts';
import { type Numeric, plain } from './cel-equality.ts';
import { type CelMeter, MAX_LIST, MAX_WALK } from './cel-meter.ts';
import { DYN, either, listOf } from './cel-static-type.ts';
import { elementsOf, flatList, literalMap } from './cel-values.ts';

export const collections = (meter: CelMeter): readonly Overload[] => [
  ...[func, method].map((kind) =>
    kind('size', [LIST | MAP], INT, ({ size }: CelList | CelMap) => BigInt(size)),
  ),
  func(
    '_+_',
    [LIST, LIST],
    ([left, right]) => listOf(either((left ?? DYN).element, (right ?? DYN).element)),
    (left: CelList, right: CelList) => {
      meter.charge((left.size + right.size) / 16);
      if (left.size + right.size > MAX_LIST)
        meter.refuse(`the expression builds a list of more than ${MAX_LIST} elements`);
      return flatList(elementsOf(left).concat(elementsOf(right)));
    },
  ),
  ...rewritten(meter),
];

/** What cel-rewrite.ts puts in the place of parts of an expression; no expression can spell it. */
export const WALK = '@walk';
export const MAP_LITERAL = '@map';
export const HAS = '@has';
export const INDEX = '@index';

const rewritten = (meter: CelMeter): readonly Overload[] => [
  // All rounds are charged before the first one, so nothing inside the comprehension can avoid the
  // charge.
  func(
    WALK,
    [ANY, INT],
    () => DYN,
    (range: CelValue, weight: bigint) => {
      const kind = kindOf(range);
      if (kind !== LIST && kind !== MAP) throw new NoOverload('a comprehension', [kind]);
      const { size } = range as CelList | CelMap;
      if (size > MAX_WALK)
        meter.refuse(`a comprehension would walk ${size} elements; at most ${MAX_WALK} are walked`);
      meter.charge(STEPS_PER_WALK + size * Number(weight));
      return range;
    },
  ),
  func(
    MAP_LITERAL,
    [LIST, LIST],
    () => DYN,
    (keys: CelList, values: CelList) => {
      const names = elementsOf(keys) as readonly CelValue[];
      for (const name of names)
        if (!(kindOf(name) & KEYS))
          throw new CelFault('a key of a map is a string, an int, a uint or a bool');
      return literalMap(names, elementsOf(values));
    },
  ),
  func(
    INDEX,
    [LIST, NUMERIC],
    () => DYN,
    (list: CelList, index: Numeric) => {
      const position = Number(plain(index));
      return member(
        Number.isInteger(position) ? list.get(position) : undefined,
        'a list has no element at this index',
      );
    },
  ),
  func(
    INDEX,
    [MAP, KEYS | DOUBLE],
    () => DYN,
    (map: CelMap, key: never) => member(map.get(key), 'a map has no such key'),
  ),
  func(HAS, [MAP, STRING], BOOL, (map: CelMap, name: string) => map.has(name)),
];

const member = (value: CelValue | undefined, what: string): CelValue => {
  if (value === undefined) throw new CelFault(what);
  return value;
};

/** The base price of a comprehension, even over an empty range. */
const STEPS_PER_WALK = 40;
