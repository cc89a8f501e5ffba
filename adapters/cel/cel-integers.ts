import { CelFault } from './cel-fault.ts';
import { celUint, type CelUint } from '@bufbuild/cel';

const LEAST_INT = -(2n ** 63n);
const MOST_INT = 2n ** 63n - 1n;
const MOST_UINT = 2n ** 64n - 1n;

/** cel-spec, "Overflow": a result beyond the range of its type is an error. */
export const int = (value: bigint): bigint => {
  if (value < LEAST_INT || value > MOST_INT) throw new CelFault('an int is beyond 64 bits');
  return value;
};

export const uint = (value: bigint): CelUint => {
  if (value < 0n || value > MOST_UINT) throw new CelFault('a uint is below 0 or beyond 64 bits');
  return celUint(value);
};

/** The bounds are exclusive, as doubles cannot tell them from their neighbours (cel-spec). */
export const intOfDouble = (value: number): bigint => {
  if (!(value > -(2 ** 63) && value < 2 ** 63))
    throw new CelFault('a double that no int can hold was converted');
  return BigInt(Math.trunc(value));
};

export const uintOfDouble = (value: number): CelUint => {
  if (!(value >= 0 && value < 2 ** 64))
    throw new CelFault('a double that no uint can hold was converted');
  return celUint(BigInt(Math.trunc(value)));
};

export const nonZero = (divisor: bigint): bigint => {
  if (divisor === 0n) throw new CelFault('an integer was divided by zero');
  return divisor;
};
