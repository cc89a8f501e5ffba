import fc from 'fast-check';
import { parseTree, type Node, type ParseError } from 'jsonc-parser';
import { expect, it } from 'vitest';
import { parseStrictJson, StrictJsonError } from '../../domain/kernel/strict-json.ts';

/** What strictness means, said as plainly as possible and without regard to speed, over another parser's tree. */
const isStrict = (text: string): boolean => {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, {
    disallowComments: true,
    allowTrailingComma: false,
    allowEmptyContent: false,
  });
  try {
    JSON.parse(text);
  } catch {
    return false;
  }
  return tree !== undefined && errors.length === 0 && isStrictNode(tree, text, 0);
};

const isStrictNode = (node: Node, text: string, depth: number): boolean => {
  if (node.type === 'string') return (node.value as string).isWellFormed();
  if (node.type === 'number') return isExact(text.slice(node.offset, node.offset + node.length));
  const children = node.children ?? [];
  if (node.type === 'object') {
    const names = children.map((property) => property.children![0]!.value as string);
    return (
      depth < 64 &&
      new Set(names).size === names.length &&
      names.every((name) => name.isWellFormed()) &&
      children.every((property) => isStrictNode(property.children![1]!, text, depth + 1))
    );
  }
  return (
    node.type !== 'array' ||
    (depth < 64 && children.every((child) => isStrictNode(child, text, depth + 1)))
  );
};

/** As fractions of big integers: the literal and what ECMAScript writes for its double. */
const isExact = (literal: string): boolean => {
  const value = Number(literal);
  if (!Number.isFinite(value)) return false;
  // Too small for a double, with an exponent that may be too large for a big integer.
  if (value === 0) return !/[1-9]/.test(literal.split(/[eE]/)[0]!);
  const [a, b] = [fractionOf(literal), fractionOf(String(value))];
  return a.numerator * b.denominator === b.numerator * a.denominator;
};

const fractionOf = (literal: string): { numerator: bigint; denominator: bigint } => {
  const [, sign, whole, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal)!;
  const power = Number(exponent) - fraction.length;
  const digits = BigInt(`${whole}${fraction}`) * (sign ? -1n : 1n);
  return power >= 0
    ? { numerator: digits * 10n ** BigInt(power), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-power) };
};

const accepts = (text: string): boolean => {
  try {
    parseStrictJson(text);
    return true;
  } catch (error) {
    if (error instanceof StrictJsonError) return false;
    throw error;
  }
};

const space = fc.constantFrom('', '', ' ', '\n\t');
const numberText = fc.oneof(
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map(String)
    .map((text) => text.replace('+', '')),
  fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.bigInt({ min: 0n, max: 10n ** 20n }),
      fc.constantFrom('', '.0', '.50', '.1'),
      fc.constantFrom('', 'e0', 'E+2', 'e-3', 'e300', 'e-320'),
    )
    .map((parts) => parts.join('')),
);
const name = fc.oneof(
  fc.constantFrom('"a"', '"\\u0061"', '"b"', '"__proto__"', '"1"', '"\\ud800"', '"\\ud83d\\ude00"'),
  fc.string({ unit: 'binary', maxLength: 3 }).map((text) => JSON.stringify(text)),
);
/** JSON text with all the liberties of JSON: white space, escapes, numbers in any form, names that repeat. */
const { value: jsonText } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('true', 'false', 'null'),
    numberText,
    name,
    fc
      .tuple(space, fc.array(tie('value'), { maxLength: 4 }))
      .map(([gap, items]) => `[${gap}${items.join(`,${gap}`)}${gap}]`),
    fc
      .tuple(space, fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }))
      .map(
        ([gap, members]) =>
          `{${gap}${members.map(([key, item]) => `${key}${gap}:${gap}${item}`).join(`,${gap}`)}${gap}}`,
      ),
  ),
}));

it('accepts exactly the texts that the plain definition accepts, and reads what JSON.parse reads', () => {
  const seen = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(jsonText, (text) => {
      const strict = isStrict(text);
      seen[strict ? 'accepted' : 'refused']++;
      expect(accepts(text)).toBe(strict);
      if (strict)
        expect(JSON.stringify(parseStrictJson(text))).toBe(JSON.stringify(JSON.parse(text)));
    }),
    { numRuns: 5000 },
  );
  // Both kinds were met, or the property would say little.
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(500);
});

it('agrees with the plain definition on damaged texts', () => {
  fc.assert(
    fc.property(
      jsonText,
      fc.nat(),
      fc.constantFrom('', '"', ',', '}', ']', '0', '\\', '\u0001', '\ud800', 'e', '-', ' ', '{'),
      (text, at, insertion) => {
        const cut = at % (text.length + 1);
        const damaged = text.slice(0, cut) + insertion + text.slice(cut + (at % 2));
        expect(accepts(damaged)).toBe(isStrict(damaged));
      },
    ),
    { numRuns: 5000 },
  );
});

it('what it accepts has no -0 in it', () => {
  const hasNegativeZero = (value: unknown): boolean =>
    Object.is(value, -0) ||
    (typeof value === 'object' && value !== null && Object.values(value).some(hasNegativeZero));
  fc.assert(
    fc.property(jsonText, (text) => {
      if (accepts(text)) expect(hasNegativeZero(parseStrictJson(text))).toBe(false);
    }),
    { numRuns: 2000 },
  );
});
