/**
 * A decimal number without its sign: `digits` without zeros at either end, times ten to `exponent`.
 * Zero has no digits.
 */
export interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

/** Reads a literal of JSON, or what ECMAScript writes for a finite number. */
export const decimalOf = (literal: string): Decimal => {
  const [mantissa, power = '0'] = literal.replace(/^-/, '').toLowerCase().split('e') as [
    string,
    string?,
  ];
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?];
  const all = whole + fraction;
  let end = all.length;
  while (end > 0 && all[end - 1] === '0') end--;
  let start = 0;
  while (start < end && all[start] === '0') start++;
  return {
    digits: all.slice(start, end),
    exponent: Number(power) - fraction.length + (all.length - end),
  };
};

/**
 * Whether `value` is an integer multiple of `step`, which is positive. Both are taken as the
 * decimals that ECMAScript and RFC 8785 write for them, so 19.99 is a multiple of 0.01, although
 * the division of the doubles leaves a remainder.
 */
export const isMultipleOf = (value: number, step: number): boolean => {
  const multiple = decimalOf(String(value));
  const unit = decimalOf(String(step));
  if (multiple.digits === '') return true;
  const shift = multiple.exponent - unit.exponent;
  // The last digit of `multiple` is not zero, so a unit with fewer places does not divide it.
  if (shift < 0) return false;
  return (BigInt(multiple.digits) * 10n ** BigInt(shift)) % BigInt(unit.digits) === 0n;
};

/**
 * Returns `isMultipleOf` for one step, prepared for many values. Most values are decided without
 * their digits. `onDigits` is called before the digits are compared, which takes up to 3 µs.
 *
 * With `places` decimal places, a count below 10^15 and the scale 10^places are exact doubles. Their
 * quotient is therefore the double nearest to the decimal count/scale. Decimals of up to 15 digits
 * are different doubles, so that decimal is the one that ECMAScript writes for the double. The
 * quotient of two such integers is rounded to an integer only if it is one.
 */
export const multiplesOf = (
  step: number,
  onDigits: () => void = () => undefined,
): ((value: number) => boolean) => {
  const { digits, exponent } = decimalOf(String(step));
  const places = Math.max(-exponent, 0);
  const scale = places > MAX_EXACT_POWER ? Infinity : Number(`1e${places}`);
  const unit = places === 0 ? step : Number(digits);
  return (value) => {
    const count = Math.round(value * scale);
    if (count < MAX_EXACT_COUNT && count > -MAX_EXACT_COUNT)
      return count / scale === value && (unit === 1 || Number.isInteger(count / unit));
    onDigits();
    return isMultipleOf(value, step);
  };
};

/** The greatest power of ten of which a double holds every smaller one exactly as well. */
const MAX_EXACT_POWER = 22;
const MAX_EXACT_COUNT = 1e15;
