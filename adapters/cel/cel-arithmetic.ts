import type { CelUint } from '@bufbuild/cel';
import { int, nonZero, uint } from './cel-integers.ts';
import { DOUBLE, INT, UINT } from './cel-kinds.ts';
import { func, type Overload } from './cel-function-table.ts';

/**
 * Arithmetic of numbers. There is none between an int and a double, and no remainder of doubles
 * (cel-spec, "Numeric Values": "no automatic arithmetic conversions").
 */
export const arithmetic: readonly Overload[] = [
  ...binary(
    '_+_',
    (a, b) => a + b,
    (a, b) => a + b,
  ),
  ...binary(
    '_-_',
    (a, b) => a - b,
    (a, b) => a - b,
  ),
  ...binary(
    '_*_',
    (a, b) => a * b,
    (a, b) => a * b,
  ),
  ...binary(
    '_/_',
    (a, b) => a / nonZero(b),
    (a, b) => a / b,
  ),
  func('_%_', [INT, INT], INT, (a: bigint, b: bigint) => {
    // The quotient overflows, and with it the instruction of most machines.
    int(a / nonZero(b));
    return a % b;
  }),
  func('_%_', [UINT, UINT], UINT, (a: CelUint, b: CelUint) => uint(a.value % nonZero(b.value))),
  func('-_', [INT], INT, (a: bigint) => int(-a)),
  func('-_', [DOUBLE], DOUBLE, (a: number) => -a),
];

function binary(
  name: string,
  whole: (a: bigint, b: bigint) => bigint,
  real: (a: number, b: number) => number,
): readonly Overload[] {
  return [
    func(name, [DOUBLE, DOUBLE], DOUBLE, real),
    func(name, [INT, INT], INT, (a: bigint, b: bigint) => int(whole(a, b))),
    func(name, [UINT, UINT], UINT, (a: CelUint, b: CelUint) => uint(whole(a.value, b.value))),
  ];
}
