import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { isMultipleOf, multiplesOf } from '../../domain/kernel/decimal.ts';
import { commonStep, multipleAt } from '../../domain/record-type/common-step.ts';
import { exampleNumber, fitsNumericKeywords } from '../../domain/record-type/example-number.ts';
import { hasTools } from '../support/runner/tools.ts';

/** The shortest decimal of a double as an integer number of 10^-1100, without parsing digits twice. */
const scaled = (value: number): bigint => {
  const [, sign, whole, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value))!;
  return (
    BigInt(`${sign}${whole}${fraction}`) * 10n ** BigInt(1_100 + Number(exponent) - fraction.length)
  );
};
const isMultipleByScaling = (value: number, step: number): boolean =>
  scaled(value) % scaled(step) === 0n;

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const positive = fc.double({ min: 5e-324, noNaN: true, noDefaultInfinity: true });
const short = fc
  .tuple(fc.bigInt(-(10n ** 17n), 10n ** 17n), fc.integer({ min: -24, max: 6 }))
  .map(([digits, exponent]) => Number(`${digits}e${exponent}`));
const step = fc.oneof(
  fc.constantFrom(0.01, 0.05, 0.1, 0.25, 0.3, 1, 3, 10, 1e-22, 1e-23, 5e-324, 1e300, 0.123456789),
  positive,
  short.map(Math.abs).filter((value) => value > 0),
);
/** Half of the values are the doubles nearest to a multiple, because others are rarely multiples. */
const pair = step.chain((unit) =>
  fc.tuple(
    fc.oneof(
      finite,
      short,
      fc
        .oneof(fc.bigInt(-(10n ** 6n), 10n ** 6n), fc.bigInt(-(10n ** 18n), 10n ** 18n))
        .map((count) => multipleAt(count, commonStep([unit])!))
        .filter(Number.isFinite),
    ),
    fc.constant(unit),
  ),
);

const seen = (verdicts: readonly boolean[]): void => {
  expect(verdicts.filter(Boolean).length).toBeGreaterThan(verdicts.length / 10);
  expect(verdicts.filter((verdict) => !verdict).length).toBeGreaterThan(verdicts.length / 10);
};

describe('a multiple is decided on the decimals that ECMAScript writes', () => {
  test.each<[number, number, boolean]>([
    [19.99, 0.01, true],
    [4.02, 0.01, true],
    [0.07, 0.01, true],
    [600.03, 0.01, true],
    [0.35, 0.05, true],
    [0.35000000000000003, 0.05, false],
    [19.995, 0.01, false],
    [-19.99, 0.01, true],
    [0, 0.01, true],
    [-0, 5e-324, true],
    [0.3, 0.1, true],
    [1e21, 3, false],
    [9e21, 3, true],
    [1e23, 1e22, true],
    [1e308, 0.123456789, false],
    [1.7e308, 5e-324, true],
    [1.5e-323, 5e-324, true],
    [5e-324, 1.5e-323, false],
    [1e308, 1e-8, true],
    [Number.MAX_SAFE_INTEGER, 0.01, true],
    [12345678901234.56, 0.01, true],
    [12345678901234.567, 0.01, false],
  ])('%d by %d: %s', (value, unit, expected) => {
    expect([isMultipleOf(value, unit), multiplesOf(unit)(value)]).toEqual([expected, expected]);
  });

  test('as scaled integers say, with and without the digits', () => {
    const verdicts: boolean[] = [];
    fc.assert(
      fc.property(pair, ([value, unit]) => {
        const expected = isMultipleByScaling(value, unit);
        verdicts.push(expected);
        expect([isMultipleOf(value, unit), multiplesOf(unit)(value)]).toEqual([expected, expected]);
      }),
      { numRuns: 5_000 },
    );
    seen(verdicts);
  });

  test('every number of cents up to 10,000.00 is a multiple of 0.01, and its neighbours are not', () => {
    const isMultiple = multiplesOf(0.01);
    const wrong: number[] = [];
    for (let cents = 1; cents <= 1_000_000; cents++) {
      const amount = cents / 100;
      const isRight =
        isMultiple(amount) &&
        !isMultiple(amount * (1 + Number.EPSILON)) &&
        !isMultiple(amount * (1 - Number.EPSILON));
      if (!isRight) wrong.push(amount);
    }
    expect(wrong).toEqual([]);
  });

  test.skipIf(!hasTools('python3'))('as the decimal module of Python says', () => {
    const pairs = fc.sample(pair, 3_000);
    const { stdout } = spawnSync('python3', ['-c', PYTHON], {
      input: JSON.stringify(pairs.map((two) => two.map(String))),
      encoding: 'utf8',
    });
    const expected = JSON.parse(stdout) as boolean[];
    seen(expected);
    expect(pairs.filter(([value, unit], i) => multiplesOf(unit)(value) !== expected[i])).toEqual(
      [],
    );
  });
});

const PYTHON = `
import decimal, json, sys
decimal.getcontext().prec = 2000
decimal.getcontext().Emax = 10000
decimal.getcontext().Emin = -10000
print(json.dumps([decimal.Decimal(a) % decimal.Decimal(b) == 0 for a, b in json.load(sys.stdin)]))
`;

test('limits and integers mean the same for doubles and for their decimals', () => {
  const close = finite.chain((value) =>
    fc.tuple(fc.constant(value), fc.oneof(finite, fc.constantFrom(value, value * (1 + 2 ** -52)))),
  );
  fc.assert(
    fc.property(
      close.filter(([, other]) => Number.isFinite(other)),
      ([a, b]) => {
        expect([a < b, a <= b, a > b, a >= b]).toEqual([
          scaled(a) < scaled(b),
          scaled(a) <= scaled(b),
          scaled(a) > scaled(b),
          scaled(a) >= scaled(b),
        ]);
        expect(Number.isInteger(a)).toBe(scaled(a) % 10n ** 1_100n === 0n);
      },
    ),
    { numRuns: 3_000 },
  );
});

test('an example of a number fits its keywords wherever some multiple of few digits does', () => {
  const cents = fc.integer({ min: -100_000, max: 100_000 });
  fc.assert(
    fc.property(
      fc.constantFrom(0.01, 0.05, 0.1, 0.25, 0.3, 0.7, 3),
      fc.constantFrom('minimum', 'exclusiveMinimum'),
      fc.constantFrom('maximum', 'exclusiveMaximum'),
      cents,
      fc.boolean(),
      fc.integer({ min: 0, max: 1_000 }),
      (unit, lower, upper, low, isInteger, more) => {
        // Twice the least common multiple of the unit and 1 is within the range.
        const width = 2 * Number(`${commonStep([unit, 1])!.digits}`) * 100 + more;
        const floor = low / 100;
        const parts: JsonObject[] = [
          { multipleOf: unit },
          { [lower]: floor },
          { [upper]: (low + width) / 100, minimum: floor },
        ];
        const value = exampleNumber(parts, isInteger);
        expect([value, fitsNumericKeywords(value, parts)]).toEqual([value, true]);
        expect(isMultipleByScaling(value, unit)).toBe(true);
        if (isInteger) expect(Number.isInteger(value)).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});
