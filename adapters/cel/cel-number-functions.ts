import { celFunc, CelScalar, celUint, objectType, type CelFunc } from '@bufbuild/cel';
import { timestampFromMs, TimestampSchema } from '@bufbuild/protobuf/wkt';
import type { CelMeter } from './cel-meter.ts';
import { DEAR } from './cel-charges.ts';

const { DOUBLE, INT, STRING, UINT } = CelScalar;
const TIMESTAMP = objectType(TimestampSchema);

export const conversions = (meter: CelMeter): CelFunc[] => [
  celFunc('int', [STRING], INT, (text) =>
    boundedInteger(wholeNumber(text), -(2n ** 63n), 2n ** 63n - 1n),
  ),
  celFunc('uint', [STRING], UINT, (text) =>
    celUint(boundedInteger(wholeNumber(text), 0n, 2n ** 64n - 1n)),
  ),
  celFunc('double', [STRING], DOUBLE, (text) => {
    meter.charge(DEAR.get('double') ?? 0);
    if (text.length > MAX_NUMERAL || !DECIMAL.test(text))
      throw new Error('a string that is not a decimal number was converted');
    return Number(text);
  }),
  celFunc('timestamp', [INT], TIMESTAMP, (seconds) => {
    meter.charge(DEAR.get('timestamp') ?? 0);
    return timestampFromMs(Number(boundedInteger(seconds, FIRST_SECOND, LAST_SECOND)) * 1000);
  }),
];

const MAX_NUMERAL = 64;

const WHOLE = /^[+-]?\d+$/;

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

const FIRST_SECOND = -62_135_596_800n;

const LAST_SECOND = 253_402_300_799n;

const wholeNumber = (text: string): bigint => {
  if (text.length > MAX_NUMERAL || !WHOLE.test(text))
    throw new Error('a string that is not a whole number was converted');
  return BigInt(text.startsWith('+') ? text.slice(1) : text);
};

const boundedInteger = (value: bigint, least: bigint, most: bigint): bigint => {
  if (value < least || value > most) throw new Error('int overflow during type conversion');
  return value;
};

/** Customers' numbers are doubles, and the literals next to them are usually ints. */
export const mixedArithmetic = (): CelFunc[] =>
  (
    [
      ['_+_', (a, b) => a + b],
      ['_-_', (a, b) => a - b],
      ['_*_', (a, b) => a * b],
      ['_/_', (a, b) => a / b],
      ['_%_', remainder],
    ] satisfies [string, (a: number, b: number) => number][]
  ).flatMap(([operator, compute]) => {
    return [
      celFunc(operator, [DOUBLE, INT], DOUBLE, (a, b) => compute(a, Number(b))),
      celFunc(operator, [INT, DOUBLE], DOUBLE, (a, b) => compute(Number(a), b)),
      ...(operator === '_%_' ? [celFunc(operator, [DOUBLE, DOUBLE], DOUBLE, compute)] : []),
    ];
  });

const remainder = (a: number, b: number): number => {
  if (b === 0) throw new Error('double modulus by zero');
  return a % b;
};
