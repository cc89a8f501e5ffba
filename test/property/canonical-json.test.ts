import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalize as another } from 'json-canonicalize';
import { describe, expect, it } from 'vitest';
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

describe('the canonical form', () => {
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
    ['a bigint', { a: 1n }],
    ['a function', { b: 1, a: () => 1 }],
    ['a symbol', Symbol('a')],
    ['nothing', undefined],
  ])('does not exist of %s', (_name, value) => {
    expect(() => canonicalJson(value as JsonValue)).toThrow(TypeError);
  });

  it('leaves out a member that is undefined, in whatever order it stands', () => {
    const value = { b: undefined, a: 1 } as unknown as JsonValue;
    expect(canonicalJson(value)).toBe('{"a":1}');
    expect(canonicalJson({ z: value, c: 2 })).toBe('{"c":2,"z":{"a":1}}');
  });
});
