import { CHARACTERS_A_STEP } from './cel-conversions.ts';
import { type Numeric, plain } from './cel-equality.ts';
import { func, type Overload } from './cel-function-table.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  type Kinds,
  NUMERIC,
  STRING,
  TIMESTAMP,
  UINT,
} from './cel-kinds.ts';
import type { CelMeter } from './cel-meter.ts';
import { type CelTime, nanosOf } from './cel-times.ts';
import { STEPS_PER_TIME } from './cel-time-functions.ts';

/** cel-spec, "Equality and Ordering". Numbers are compared across their types. */
export const ordering = (meter: CelMeter): readonly Overload[] => [
  ...ordered(DOUBLE, NUMERIC, (a: number, b: Numeric) => order(a, Number(plain(b)))),
  ...ordered(INT | UINT, DOUBLE, (a: Numeric, b: number) => order(Number(plain(a)), b)),
  ...ordered(INT | UINT, INT | UINT, (a: Numeric, b: Numeric) => order(plain(a), plain(b))),
  ...ordered(BOOL, BOOL, order),
  ...ordered(STRING, STRING, (a: string, b: string) => {
    meter.charge((2 * Math.min(a.length, b.length)) / CHARACTERS_A_STEP);
    return orderOfTexts(a, b);
  }),
  ...ordered(BYTES, BYTES, (a: Uint8Array, b: Uint8Array) => {
    meter.charge(Math.min(a.length, b.length) / CHARACTERS_A_STEP);
    return Buffer.compare(a, b);
  }),
  ...[TIMESTAMP, DURATION].flatMap((kind) =>
    ordered(kind, kind, (a: CelTime, b: CelTime) => {
      meter.charge(2 * STEPS_PER_TIME);
      return order(nanosOf(a), nanosOf(b));
    }),
  ),
];

/** Negative, zero or positive; NaN, which no comparison is true of, where an operand is NaN. */
type Compare = (a: never, b: never) => number;

const ordered = (left: Kinds, right: Kinds, compare: Compare): readonly Overload[] => [
  func('_<_', [left, right], BOOL, (a, b) => compare(a, b) < 0),
  func('_<=_', [left, right], BOOL, (a, b) => compare(a, b) <= 0),
  func('_>_', [left, right], BOOL, (a, b) => compare(a, b) > 0),
  func('_>=_', [left, right], BOOL, (a, b) => compare(a, b) >= 0),
];

const order = <T extends number | bigint | boolean>(a: T, b: T): number =>
  a < b ? -1 : a > b ? 1 : a === b ? 0 : NaN;

/** By code points, which UTF-16 does not sort by: its surrogates stand below U+E000. */
const orderOfTexts = (a: string, b: string): number => {
  const shorter = Math.min(a.length, b.length);
  let i = 0;
  while (i < shorter && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  return i === shorter ? a.length - b.length : rank(a.charCodeAt(i)) - rank(b.charCodeAt(i));
};

const rank = (unit: number): number =>
  unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
