import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalize as another } from 'json-canonicalize';
import { describe, expect, it } from 'vitest';
import { canonicalDocument } from '../../domain/kernel/canonical-document.ts';
import { canonicalJson, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import { parseStrictJson } from '../../domain/kernel/strict-json.ts';

/** Names that the runtime puts in an order of its own, that need escapes, or that are longer than one code unit. */
const names = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.nat(20).map(String),
  fc.constantFrom(
    '__proto__',
    'toJSON',
    'a\\ud800',
    '\\ud',
    '\u0000',
    '\uffff',
    '😀',
    'é',
    '"',
    '',
  ),
);
const values = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    names,
    fc.array(tie('value'), { maxLength: 5 }),
    fc
      .array(fc.tuple(names, tie('value')), { maxLength: 6 })
      .map((members) => JSON.parse(textOf(members)) as JsonValue),
  ),
})).value;
const textOf = (members: readonly (readonly [string, JsonValue])[]): string =>
  `{${[...new Map(members)].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;

/** Also what is not JSON, at any depth. */
const anything = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 4, arbitrary: names },
    { weight: 4, arbitrary: fc.double() },
    fc.constantFrom(-0, 1e21, 1e-7, 2 ** 53 + 2, 5e-324, Number.MAX_VALUE, 123456789012345680000),
    fc.constantFrom(null, true, undefined, 1n, '\ud800', '\udc00a', Symbol.iterator, () => 1),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(names, fc.constantFrom('\ud800', 'b\udfff')), tie('value'), {
      maxKeys: 5,
    }),
  ),
})).value;

/** The text, or the class of the error. */
const outcomeOf = (write: (value: JsonValue) => string, value: unknown): string => {
  try {
    return write(value as JsonValue);
  } catch (error) {
    return `refused: ${(error as Error).name}`;
  }
};

describe('the canonical form', () => {
  it('is the same from the fast writer and from the library, refusals included', () => {
    const outcomes = new Set<boolean>();
    fc.assert(
      fc.property(anything, (value) => {
        const text = outcomeOf(canonicalJson, value);
        outcomes.add(text.startsWith('refused'));
        expect(outcomeOf(canonicalDocument, value)).toBe(text);
      }),
      { numRuns: 5_000 },
    );
    expect(outcomes.size).toBe(2);
  });

  it('is what two other implementations of RFC 8785 write', () => {
    fc.assert(
      fc.property(values, (value) => {
        const text = canonicalJson(value);
        expect(text).toBe(canonicalize(value));
        // That one takes a member for the method of this name.
        if (!text.includes('"toJSON"')) expect(text).toBe(another(value));
      }),
      { numRuns: 3_000 },
    );
  });

  it('is its own canonical form, and the same value', () => {
    fc.assert(
      fc.property(values, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(parseStrictJson(text))).toBe(text);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each<[string, unknown]>([
    ['a lone surrogate', { a: ['\ud800'] }],
    ['a lone surrogate in a name', { '\udc00': 1 }],
    ['NaN', [Number.NaN]],
    ['an infinity', { a: -Infinity }],
    ['a missing item', [undefined]],
    ['a hole', [1, , 2]],
    ['a bigint', { a: 1n }],
    ['a function', { b: 1, a: () => 1 }],
    ['a method toJSON', { toJSON: () => 1 }],
    ['a symbol', Symbol('a')],
    ['a symbol as a member', { b: 1, a: Symbol('a') }],
    ['a symbol as an item', [Symbol('a')]],
    ['nothing', undefined],
  ])('does not exist of %s', (_name, value) => {
    expect(() => canonicalJson(value as JsonValue)).toThrow(TypeError);
    expect(() => canonicalDocument(value as JsonValue)).toThrow(TypeError);
  });

  it('leaves out a member that is undefined, in whatever order it stands', () => {
    const value = { b: undefined, a: 1 } as unknown as JsonValue;
    expect(canonicalJson(value)).toBe('{"a":1}');
    expect(canonicalJson({ z: value, c: 2 })).toBe('{"c":2,"z":{"a":1}}');
  });
});
