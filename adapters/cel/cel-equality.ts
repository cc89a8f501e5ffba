import {
  type CelList,
  type CelMap,
  type CelType,
  type CelUint,
  type CelValue,
} from '@bufbuild/cel';
import { CHARACTERS_A_STEP } from './cel-conversions.ts';
import { func, type Overload } from './cel-function-table.ts';
import {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  KEYS,
  kindOf,
  LIST,
  MAP,
  NUMERIC,
  STRING,
  TIMESTAMP,
  TYPE,
} from './cel-kinds.ts';
import type { CelMeter } from './cel-meter.ts';
import { type CelTime, nanosOf } from './cel-times.ts';
import { STEPS_PER_TIME } from './cel-time-functions.ts';

/**
 * Equality and membership. Numbers are equal across their types, values of other different types
 * never are, and NaN equals nothing.
 */
export const equality = (meter: CelMeter): readonly Overload[] => [
  func('_==_', [ANY, ANY], BOOL, (a: CelValue, b: CelValue) => equal(meter, a, b)),
  func('_!=_', [ANY, ANY], BOOL, (a: CelValue, b: CelValue) => !equal(meter, a, b)),
  func('@in', [ANY, LIST], BOOL, (value: CelValue, list: CelList) => {
    meter.charge(3);
    for (let i = 0; i < list.size; i++) if (equal(meter, value, list.get(i)!)) return true;
    return false;
  }),
  func('@in', [ANY, MAP], BOOL, (key: CelValue, map: CelMap) => {
    meter.charge(3);
    // A key of another kind is in no map.
    return (kindOf(key) & (KEYS | DOUBLE)) !== 0 && map.has(key as never);
  }),
];

const equal = (meter: CelMeter, a: CelValue, b: CelValue): boolean => {
  meter.charge(1);
  const kind = kindOf(a);
  const other = kindOf(b);
  if (kind & NUMERIC && other & NUMERIC) return sameNumber(a as Numeric, b as Numeric);
  if (kind !== other) return false;
  switch (kind) {
    case STRING:
      meter.charge(Math.min((a as string).length, (b as string).length) / CHARACTERS_A_STEP);
      return a === b;
    case LIST:
      return sameList(meter, a as CelList, b as CelList);
    case MAP:
      return sameMap(meter, a as CelMap, b as CelMap);
    case BYTES:
      return sameBytes(meter, a as Uint8Array, b as Uint8Array);
    case TYPE:
      return (a as CelType).name === (b as CelType).name;
    case TIMESTAMP:
    case DURATION:
      meter.charge(2 * STEPS_PER_TIME);
      return nanosOf(a as CelTime) === nanosOf(b as CelTime);
    default:
      return a === b;
  }
};

/** A value of a numeric type. */
export type Numeric = number | bigint | CelUint;

/** An int is compared with a double as a double, as in ordering (cel-spec's conformance data). */
const sameNumber = (a: Numeric, b: Numeric): boolean => {
  if (typeof a === 'number') return a === Number(plain(b));
  if (typeof b === 'number') return Number(plain(a)) === b;
  return plain(a) === plain(b);
};

export const plain = (value: Numeric): number | bigint =>
  typeof value === 'object' ? value.value : value;

const sameList = (meter: CelMeter, a: CelList, b: CelList): boolean => {
  if (a.size !== b.size) return false;
  for (let i = 0; i < a.size; i++) if (!equal(meter, a.get(i)!, b.get(i)!)) return false;
  return true;
};

const sameMap = (meter: CelMeter, a: CelMap, b: CelMap): boolean => {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    meter.charge(1);
    const other = b.get(key);
    if (other === undefined || !equal(meter, value, other)) return false;
  }
  return true;
};

const sameBytes = (meter: CelMeter, a: Uint8Array, b: Uint8Array): boolean => {
  meter.charge(Math.min(a.length, b.length) / CHARACTERS_A_STEP);
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
};
