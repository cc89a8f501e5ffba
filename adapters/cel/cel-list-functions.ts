import {
  celFunc,
  CelScalar,
  isCelList,
  isCelMap,
  listType,
  type CelFunc,
  type CelValue,
} from '@bufbuild/cel';
import { type CelMeter, MAX_LIST, MAX_WALK } from './cel-meter.ts';
import { elementsOf, flatList } from './cel-values.ts';

const { DYN, INT } = CelScalar;
const LIST = listType(DYN);

export const lists = (meter: CelMeter): CelFunc[] => [
  celFunc('_+_', [LIST, LIST], LIST, (left, right) => {
    meter.charge((left.size + right.size) / 16);
    if (left.size + right.size > MAX_LIST)
      meter.refuse(`the expression builds a list of more than ${MAX_LIST} elements`);
    return flatList(elementsOf(left).concat(elementsOf(right)));
  }),
  // All rounds are charged before the first one, so nothing inside the comprehension can avoid the
  // charge.
  celFunc(WALK, [DYN, INT], DYN, (range, weight) => {
    const walked: CelValue = range;
    if (!isCelList(walked) && !isCelMap(walked)) return walked;
    if (walked.size > MAX_WALK)
      meter.refuse(
        `a comprehension would walk ${walked.size} elements; at most ${MAX_WALK} are walked`,
      );
    meter.charge(STEPS_PER_WALK + walked.size * Number(weight));
    return walked;
  }),
];

/** Wraps the range of every comprehension; no expression can spell it. */
export const WALK = '@walk';

/** The base price of a comprehension, even over an empty range. */
const STEPS_PER_WALK = 40;
