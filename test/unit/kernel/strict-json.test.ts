import { describe, expect, it } from 'vitest';
import {
  decodeUtf8Strict,
  parseStrictJson,
  StrictJsonError,
} from '../../../domain/kernel/strict-json.ts';

const faultOf = (read: () => unknown): StrictJsonError => {
  try {
    read();
  } catch (error) {
    if (error instanceof StrictJsonError) return error;
    throw error;
  }
  throw new Error('it was accepted');
};

describe('numbers', () => {
  it.each([
    '0.1',
    '1.0',
    '1e2',
    '1E2',
    '1e+2',
    '100',
    '0.5e-3',
    '1e21',
    '1e-7',
    '123456789012345680000',
    '5e-324',
    '0',
    '0.0',
    '0e999',
    '-0',
    '-0.0',
    '-0e7',
    '9007199254740992',
    '0.30000000000000004',
    '-1.50',
  ])('%s has the value of its double', (text) => {
    expect(parseStrictJson(text)).toBe(Number(text) + 0);
    expect(parseStrictJson(`[ ${text} ]`)).toEqual([Number(text) + 0]);
  });

  it('-0 is 0', () => {
    for (const text of ['-0', '-0.0', '-0e3'])
      expect(Object.is(parseStrictJson(text), 0)).toBe(true);
    expect(Object.is((parseStrictJson('{"a":-0}') as { a: number }).a, 0)).toBe(true);
  });

  it.each([
    '9007199254740993',
    '1e400',
    '-1e400',
    '1e-400',
    '0.1000000000000000055511151231257827',
    '123456789012345678901',
    '1e999999999999999999999',
    '1e-999999999999999999999',
  ])('%s is refused: a double cannot hold it', (text) => {
    expect(faultOf(() => parseStrictJson(`{"a":[0,${text}]}`))).toMatchObject({
      pointer: '/a/1',
      offset: 8,
      line: 1,
      column: 9,
    });
  });

  it.each(['01', '+1', '.5', '1.', '1e', '0x1', '-', '--1', 'NaN', 'Infinity', '1_000'])(
    '%s is no JSON',
    (text) => {
      expect(() => parseStrictJson(text)).toThrow(StrictJsonError);
    },
  );
});

describe('names', () => {
  it.each([
    ['{"a":1,"a":1}', '/a', 7],
    ['{"a":1,"\\u0061":2}', '/a', 7],
    ['{"x":[{"b":0,"c":1,"b":2}]}', '/x/0/b', 19],
    ['{"__proto__":1,"__proto__":2}', '/__proto__', 15],
    ['{"":1,"":2}', '/', 6],
    ['{"a/b~":1,"a/b~":2}', '/a~1b~0', 10],
  ])('%s: a name that stands twice is refused with its place', (text, pointer, offset) => {
    expect(faultOf(() => parseStrictJson(text))).toMatchObject({ pointer, offset });
  });

  it.each(['{"__proto__":{"polluted":true}}', '{ "__proto__": {"polluted": true} }'])(
    '%s: __proto__ is a member like any other',
    (text) => {
      const value = parseStrictJson(text) as Record<string, unknown>;
      expect(Object.hasOwn(value, '__proto__')).toBe(true);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":true}}');
    },
  );
});

describe('text', () => {
  it.each(['"\\ud800"', '"\\udc00\\ud800"', '"\ud800"', '{"\\udfff":1}', '["a","\\uD83D"]'])(
    '%j: a lone surrogate is refused',
    (text) => {
      expect(faultOf(() => parseStrictJson(text)).message).toContain('surrogate');
    },
  );

  it.each(['"\\ud83d\\ude00"', '"😀"', '"\\u0000\\n\\/\\""', '"\u2028"', '"\\\\ud800"'])(
    '%j: well-formed text is read',
    (text) => {
      expect(parseStrictJson(text)).toBe(JSON.parse(text));
    },
  );

  it.each(['"\n"', '"\t"', '"\\x"', '"\\u12"', '"', '"\\', "'a'", '"a'])(
    '%j is no JSON string',
    (text) => {
      expect(() => parseStrictJson(text)).toThrow(StrictJsonError);
    },
  );
});

describe('structure', () => {
  it.each([
    '',
    ' ',
    '{',
    '[',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '[1,]',
    '[,1]',
    '[1 2]',
    '{a:1}',
    '[1]]',
    '{} {}',
    'nul',
    'truex',
    '// x\n1',
    '/* */1',
    '\u00a01',
    '\ufeff1',
    '\ufeff{}',
  ])('%j is refused', (text) => {
    expect(() => parseStrictJson(text)).toThrow(StrictJsonError);
  });

  it('names the place in a text of several lines', () => {
    expect(faultOf(() => parseStrictJson('{\n  "a": [\n    1,\n    oops\n  ]\n}'))).toMatchObject({
      pointer: '/a/1',
      line: 4,
      column: 5,
    });
  });

  it('limits the depth, by default to 64, whichever way it is written', () => {
    const nested = (depth: number, space = ''): string =>
      '['.repeat(depth) + space + ']'.repeat(depth);
    for (const space of ['', ' ']) {
      expect(parseStrictJson(nested(64, space))).toBeInstanceOf(Array);
      expect(faultOf(() => parseStrictJson(nested(65, space))).message).toContain('64 deep');
      expect(() => parseStrictJson(nested(3, space), { maxDepth: 2 })).toThrow(StrictJsonError);
    }
    expect(parseStrictJson('1', { maxDepth: 0 })).toBe(1);
  });
});

describe('bytes', () => {
  it.each([
    [[0x22, 0xff, 0x22], 1],
    [[0x7b, 0x7d, 0xc3], 2],
    [[0xed, 0xa0, 0x80], 0],
    [[0x61, 0xc0, 0x80], 1],
    [[0xf5, 0x80, 0x80, 0x80], 0],
  ])('%j are no UTF-8', (bytes, offset) => {
    expect(faultOf(() => decodeUtf8Strict(Uint8Array.from(bytes)))).toMatchObject({ offset });
  });

  it('a byte order mark survives decoding and is refused by the parser', () => {
    const text = decodeUtf8Strict(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31));
    expect(faultOf(() => parseStrictJson(text)).message).toContain('byte order mark');
  });
});
