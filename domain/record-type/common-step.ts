import { decimalOf } from '../kernel/decimal.ts';

/** A positive decimal, `digits` times ten to `exponent`, whose integer multiples are meant. */
export interface Step {
  readonly digits: bigint;
  readonly exponent: number;
}

/**
 * Returns the smallest step whose multiples are multiples of all `steps`, or null if there are no
 * steps. So that hostile schemas stay cheap, it takes at most 8 steps and leaves out those whose
 * exponents are far apart. Each number that is a multiple of all steps is a multiple of the result.
 */
export const commonStep = (steps: readonly number[]): Step | null => {
  let common: Step | null = null;
  for (const number of [...new Set(steps)].slice(0, MAX_STEPS)) {
    const { digits, exponent } = decimalOf(String(number));
    const step: Step = { digits: BigInt(digits), exponent };
    common = common === null ? step : leastCommonMultiple(common, step);
  }
  return common;
};

/** `value` divided by `step`: the integer below or at the quotient, and whether it is the quotient. */
export const quotient = (
  value: number,
  step: Step,
): { readonly floor: bigint; readonly isExact: boolean } => {
  const { digits, exponent } = decimalOf(String(value));
  const dividend = BigInt(digits) * power(exponent - step.exponent) * (value < 0 ? -1n : 1n);
  const divisor = step.digits * power(step.exponent - exponent);
  const isExact = dividend % divisor === 0n;
  const floor = dividend / divisor - (value < 0 && !isExact ? 1n : 0n);
  return { floor, isExact };
};

/** The double nearest to the multiple. */
export const multipleAt = (count: bigint, { digits, exponent }: Step): number =>
  Number(`${count * digits}e${exponent}`);

const MAX_STEPS = 8;
const MAX_SPREAD = 40;

const leastCommonMultiple = (a: Step, b: Step): Step => {
  const exponent = Math.min(a.exponent, b.exponent);
  if (Math.max(a.exponent, b.exponent) - exponent > MAX_SPREAD) return a;
  const [x, y] = [a, b].map((step) => step.digits * power(step.exponent - exponent)) as [
    bigint,
    bigint,
  ];
  return { digits: (x / greatestCommonDivisor(x, y)) * y, exponent };
};

const greatestCommonDivisor = (a: bigint, b: bigint): bigint => {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
};

const power = (exponent: number): bigint => 10n ** BigInt(Math.max(exponent, 0));
