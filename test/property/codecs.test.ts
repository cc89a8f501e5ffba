import { cdeDecodeOptions, cdeEncodeOptions, decode, encode } from 'cbor2';
import fc from 'fast-check';
import { canonicalize as independentCanonicalize } from 'json-canonicalize';
import { describe, expect, it } from 'vitest';
import { canonicalJson, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import {
  CborError,
  decodeCbor,
  encodeCbor,
  type CborKey,
  type CborValue,
} from '../../domain/kernel/deterministic-cbor.ts';
import { fromHex, toHex } from '../../domain/kernel/digest.ts';

const integer = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer({ min: -300, max: 300 }),
  // Around every change of width of a head.
  fc
    .constantFrom(23, 24, 255, 256, 65535, 65536, 4294967295, 4294967296, 9007199254740991)
    .chain((edge) => fc.constantFrom(edge, -edge, -edge - 1).filter(Number.isSafeInteger)),
);
const text = fc.string({ unit: 'binary', maxLength: 40 }).filter((value) => value.isWellFormed());
const key: fc.Arbitrary<CborKey> = fc.oneof(
  text,
  integer.filter((value) => value !== 0),
  fc.constantFrom('__proto__', 'constructor', '', 'é', 'a', 'aa', 'b'),
);
const { value: cborValue } = fc.letrec<{ value: CborValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.boolean(),
    fc.constant(null),
    integer.map((value) => value + 0),
    text,
    fc.string({ minLength: 60, maxLength: 300 }),
    fc.uint8Array({ maxLength: 40 }),
    fc.uint8Array({ minLength: 250, maxLength: 260 }),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 30 }).map((entries) => new Map(entries)),
  ),
}));

describe('deterministic CBOR (RFC 8949 section 4.2.1)', () => {
  it('is byte for byte what another implementation writes in its CDE mode', () => {
    fc.assert(
      fc.property(cborValue, (value) => {
        expect(toHex(encodeCbor(value))).toBe(toHex(encode(value, cdeEncodeOptions)));
      }),
      { numRuns: 5000 },
    );
  });

  it('comes back as the value that it was', () => {
    fc.assert(
      fc.property(cborValue, (value) => {
        expect(decodeCbor(encodeCbor(value))).toEqual(value);
      }),
      { numRuns: 3000 },
    );
  });

  it('an object is written as the map of its members', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          text,
          integer.map((value) => value + 0),
        ),
        (members) => {
          expect(encodeCbor(members)).toEqual(encodeCbor(new Map(Object.entries(members))));
        },
      ),
    );
  });

  it('of damaged bytes, decodes only what another strict decoder accepts, and writes it back the same', () => {
    let decoded = 0;
    fc.assert(
      fc.property(cborValue, fc.nat(), fc.nat({ max: 255 }), (value, at, byte) => {
        const bytes = encodeCbor(value);
        bytes[at % bytes.length] = byte;
        let again: CborValue;
        try {
          again = decodeCbor(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(CborError);
          return;
        }
        decoded++;
        expect(encodeCbor(again)).toEqual(bytes);
        expect(() => decode(bytes, cdeDecodeOptions)).not.toThrow();
      }),
      { numRuns: 5000 },
    );
    expect(decoded).toBeGreaterThan(100);
  });

  it('of any bytes whatsoever, decodes or throws CborError, and nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          expect(encodeCbor(decodeCbor(bytes))).toEqual(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(CborError);
        }
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['a long head of a small integer', '1801'],
    ['an integer in two bytes that fits one', '1900ff'],
    ['in four bytes', '1a0000ffff'],
    ['in eight bytes', '1b00000000ffffffff'],
    ['a negative one', '3801'],
    ['a long head of a text', '780161'],
    ['of bytes', '580101'],
    ['of an array', '980101'],
    ['of a map', 'b8010102'],
    ['an array of indefinite length', '9f01ff'],
    ['a map of indefinite length', 'bf0102ff'],
    ['a text of indefinite length', '7f6161ff'],
    ['bytes of indefinite length', '5f4101ff'],
    ['a lone break', 'ff'],
    ['keys out of order', 'a20201 0102'],
    ['keys in the length-first order of RFC 7049', 'a2 6161 01 1818 02'],
    ['a key twice', 'a2 0101 0102'],
    ['a text key twice', 'a2 616101 616102'],
    ['a half float', 'f93c00'],
    ['a float', 'fa3f800000'],
    ['a double', 'fb3ff0000000000000'],
    ['NaN', 'f97e00'],
    ['undefined', 'f7'],
    ['a simple value', 'e0'],
    ['a two-byte simple value', 'f8ff'],
    ['false in two bytes', 'f814'],
    ['a tag', 'c001'],
    ['a bignum', 'c24101'],
    ['tag 28', 'd81c80'],
    ['tag 29', 'd81d00'],
    ['a record, tag 105', 'd86984 00 81 6161 01'],
    ['tag 259', 'd90103a0'],
    ['self-described CBOR', 'd9d9f700'],
    ['tag 27, an object', 'd81b82 66 526567457870 6161'],
    ['an integer past 2^53 - 1', '1b0020000000000000'],
    ['a negative one', '3b001fffffffffffff'],
    ['the largest', '1bffffffffffffffff'],
    ['bad UTF-8', '62c328'],
    ['an overlong form', '62c080'],
    ['a surrogate in UTF-8', '63eda080'],
    ['a boolean key', 'a1f501'],
    ['a byte string as key', 'a1410101'],
    ['an array as key', 'a18001'],
    ['nothing', ''],
    ['a cut head', '19'],
    ['a cut text', '6261'],
    ['a cut array', '8201'],
    ['a second item', '0101'],
    ['a reserved head', '1c'],
  ])('%s is refused', (_, hex) => {
    expect(() => decodeCbor(fromHex(hex.replaceAll(' ', '')))).toThrow(CborError);
  });

  it('what no profile of ours holds is never written', () => {
    const values: unknown[] = [
      1.5,
      Number.NaN,
      Infinity,
      -0,
      2 ** 53,
      -(2 ** 53),
      undefined,
      1n,
      Symbol('x'),
      () => 1,
      '\ud800',
      { a: undefined },
      new Map([[1.5, 1]]),
      [['\udc00']],
    ];
    for (const value of values) expect(() => encodeCbor(value as CborValue)).toThrow(CborError);
  });

  it('hostile bytes are refused at once: no crash, no stall, no memory', () => {
    const fill = (prefix: string, length: number, byte = 0): Uint8Array =>
      new Uint8Array(Buffer.concat([fromHex(prefix), Buffer.alloc(length, byte)]));
    const hostile: Uint8Array[] = [
      // Lengths that promise what is not there.
      ...[
        '9affffffff',
        'bbffffffffffffffff',
        '9bffffffffffffffff',
        '5affffffff',
        '7bffffffffffffffff',
        '9b0000000100000000',
        'ba7fffffff00',
        '9a06ba0000',
      ].map(fromHex),
      // Deep nesting: arrays, maps, tags.
      fill('', 1_000_000, 0x81),
      fill('', 1_000_000, 0xa1),
      fill('', 1_000_000, 0xc1),
      fill('', 1_000_000, 0x9f),
      fill('', 100_000, 0xd2),
      // A bignum of a megabyte takes a lenient reader minutes.
      fill('c25a00100000', 0x100000, 0xff),
      fill('c35a00100000', 0x100000, 0xff),
      // Shared values that refer to themselves are read twice at each level.
      fromHex(`${'d81c81'.repeat(40)}d81d00`),
      fromHex(`${'d81ca100'.repeat(40)}d81d00`),
      // Many arrays, each with room for all that follows.
      Uint8Array.from({ length: 60_000 }, (_, index) => (index % 3 === 0 ? 0x99 : 0x7f)),
      // Packed tables, records, bundled strings, typed arrays, regular expressions.
      ...[
        'd8338480808000',
        'd9dfff83190100 81616101',
        'd9dffe8100',
        'd9dff9820000',
        'd84041ff',
        'd84648ffffffffffffffff',
        'd81b82665265674578706828612b292b2b24',
      ].map((hex) => fromHex(hex.replaceAll(' ', ''))),
    ];
    const memory = process.memoryUsage().rss;
    const started = performance.now();
    for (const bytes of hostile)
      expect(() => decodeCbor(bytes), toHex(bytes.subarray(0, 12))).toThrow(CborError);
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(process.memoryUsage().rss - memory).toBeLessThan(128 * 1024 * 1024);
  });

  it('nests 64 deep and no deeper, in both directions', () => {
    const nested = (depth: number): CborValue => (depth === 0 ? 1 : [nested(depth - 1)]);
    expect(decodeCbor(encodeCbor(nested(64)))).toEqual(nested(64));
    expect(() => encodeCbor(nested(65))).toThrow(CborError);
    expect(() => decodeCbor(Uint8Array.of(...new Uint8Array(65).fill(0x81), 1))).toThrow(CborError);
  });

  it('reading changes neither its input nor what it read before', () => {
    const bytes = encodeCbor([new Uint8Array([1, 2, 3]), 'x']);
    const copy = bytes.slice();
    const value = decodeCbor(bytes) as [Uint8Array, string];
    value[0][0] = 9;
    expect(bytes).toEqual(copy);
    bytes.fill(0);
    expect(value[0]).toEqual(Uint8Array.of(9, 2, 3));
  });
});

describe('canonical JSON (RFC 8785)', () => {
  const json = fc.jsonValue({ stringUnit: 'binary', maxDepth: 5 }) as fc.Arbitrary<JsonValue>;
  const isWellFormed = (value: JsonValue): boolean =>
    JSON.stringify(value).search(/\\ud[89a-f]/) < 0;

  it('is what another implementation writes', () => {
    fc.assert(
      fc.property(json.filter(isWellFormed), (value) => {
        expect(canonicalJson(value)).toBe(independentCanonicalize(value));
      }),
      { numRuns: 5000 },
    );
  });

  it('is one text for one value, in whatever order its members came', () => {
    const reversed = (value: JsonValue): JsonValue =>
      Array.isArray(value)
        ? value.map(reversed)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .toReversed()
                .map(([name, item]) => [name, reversed(item)]),
            )
          : value;
    fc.assert(
      fc.property(json.filter(isWellFormed), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(reversed(value))).toBe(text);
        expect(canonicalJson(JSON.parse(text) as JsonValue)).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  it('does not exist for a lone surrogate, in a value or a name (section 3.2.2.2)', () => {
    for (const value of [
      '\ud800',
      ['a\udfff'],
      { '\ud800': 1 },
      { a: { b: '\udc00\ud800' } },
    ] as JsonValue[])
      expect(() => canonicalJson(value)).toThrow();
  });

  it('does not exist for NaN and the infinities (section 3.2.2.3)', () => {
    for (const value of [Number.NaN, Infinity, -Infinity, [Number.NaN]])
      expect(() => canonicalJson(value)).toThrow();
  });
});

describe('the two forms', () => {
  it('carry the same value: what is sealed as JSON can be sealed as CBOR and read back', () => {
    const { statement } = fc.letrec<{ statement: CborValue }>((tie) => ({
      statement: fc.oneof(
        { depthSize: 'small' },
        fc.boolean(),
        fc.constant(null),
        integer.map((value) => value + 0),
        text,
        fc.array(tie('statement'), { maxLength: 4 }),
        fc.dictionary(text, tie('statement'), { maxKeys: 6 }),
      ),
    }));
    const plain = (value: CborValue): unknown =>
      value instanceof Map
        ? Object.fromEntries(
            [...(value as ReadonlyMap<CborKey, CborValue>)].map(([name, item]) => [
              name,
              plain(item),
            ]),
          )
        : Array.isArray(value)
          ? value.map((item) => plain(item as CborValue))
          : value;
    fc.assert(
      fc.property(statement, (value) => {
        expect(canonicalJson(plain(decodeCbor(encodeCbor(value))) as JsonValue)).toBe(
          canonicalJson(value as JsonValue),
        );
      }),
      { numRuns: 2000 },
    );
  });
});
