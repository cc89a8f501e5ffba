import {
  celFunc,
  type CelFunc,
  type CelInput,
  celMethod,
  type CelValue,
  isCelError,
  isCelList,
  isCelMap,
} from '@bufbuild/cel';
import type { CelMeter } from './cel-meter.ts';
import { elementsOf } from './cel-values.ts';

/**
 * Wraps the function so that it first charges for its operands. The call as such is charged as a
 * node of the expression.
 */
export const metered = (func: CelFunc, meter: CelMeter): CelFunc => {
  const weigh = PAIRWISE.has(func.name)
    ? chargeComparison
    : func.name === '@in'
      ? chargeSearch
      : chargeTexts;
  const surcharge =
    (DEAR.get(func.name) ?? 0) +
    [func.target, ...func.arguments].filter((type) => type !== undefined && TIMES.has(type.name))
      .length *
      STEPS_PER_TIME;
  const run = (target: CelValue | undefined, args: CelValue[]): CelInput => {
    if (surcharge > 0) meter.charge(surcharge);
    weigh(meter, target === undefined ? args : [target, ...args]);
    const result = func.call(0, target, args);
    if (result === undefined || isCelError(result))
      throw result ?? new Error('found no matching overload');
    return result;
  };
  return func.target === undefined
    ? celFunc(
        func.name,
        func.arguments,
        func.result,
        (...args: CelValue[]) => run(undefined, args) as never,
      )
    : celMethod(
        func.name,
        func.target,
        func.arguments,
        func.result,
        function (this: CelValue, ...args: CelValue[]) {
          return run(this, args);
        },
      );
};

/** Functions that take longer than visiting a node, in steps (measured). */
export const DEAR: ReadonlyMap<string, number> = new Map([
  ['duration', 25],
  ['timestamp', 20],
  ['string', 6],
  ['double', 4],
  ['int', 4],
  ['uint', 4],
  ['bytes', 4],
]);

const TIMES: ReadonlySet<string> = new Set([
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
]);

export const STEPS_PER_TIME = 15;

const PAIRWISE: ReadonlySet<string> = new Set(['_==_', '_!=_']);

export const CHARACTERS_A_STEP = 32;

const chargeTexts = (meter: CelMeter, values: readonly unknown[]): void => {
  for (const value of values)
    if (typeof value === 'string' || value instanceof Uint8Array)
      meter.charge(value.length / CHARACTERS_A_STEP);
};

/** Equality compares both sides as far as their shapes agree. */
const chargeComparison = (meter: CelMeter, [left, right]: readonly unknown[]): void => {
  meter.charge(1);
  if (typeof left === 'string' && typeof right === 'string')
    meter.charge(Math.min(left.length, right.length) / CHARACTERS_A_STEP);
  else if (isCelList(left) && isCelList(right)) {
    if (left.size !== right.size) return;
    const others = elementsOf(right);
    elementsOf(left).forEach((element, i) => chargeComparison(meter, [element, others[i]]));
  } else if (isCelMap(left) && isCelMap(right)) {
    if (left.size !== right.size) return;
    for (const [key, value] of left) chargeComparison(meter, [value, right.get(key)]);
  }
};

const chargeSearch = (meter: CelMeter, [value, container]: readonly unknown[]): void => {
  meter.charge(3);
  if (!isCelList(container)) return;
  if (isCelList(value) || isCelMap(value))
    for (const element of elementsOf(container)) chargeComparison(meter, [value, element]);
  else
    meter.charge(
      container.size * (1 + (typeof value === 'string' ? value.length / CHARACTERS_A_STEP : 0)),
    );
};
