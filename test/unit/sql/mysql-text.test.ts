import { describe, expect, it } from 'vitest';
import { insertTexts, literal, MAX_TEXT, textOf } from '../../../adapters/sql/mysql/mysql-text.ts';

describe('a statement as text', () => {
  it('holds of a value nothing but a number or hexadecimal digits, whatever the value is', () => {
    const hostile = ["'; DROP TABLE records; -- ", '\\', "\\'; COMMIT", '?', 'ä\u0000"`', '嘊'];
    for (const value of hostile) {
      expect(literal(value)).toMatch(/^_utf8mb4 x'[0-9a-f]*'$/);
      const [, hex] = /x'([0-9a-f]*)'/.exec(literal(value))!;
      expect(Buffer.from(hex!, 'hex').toString('utf8')).toBe(value);
    }
    expect(literal(Uint8Array.of(0x27, 0x5c))).toBe("x'275c'");
    expect([literal(null), literal(0), literal(-5), literal('')]).toEqual([
      'NULL',
      '0',
      '-5',
      "_utf8mb4 x''",
    ]);
  });

  it('takes as many values as it has places, and no number that is none', () => {
    expect(textOf('a = ? AND b = ?', [1, 'x'])).toBe("a = 1 AND b = _utf8mb4 x'78'");
    expect(() => textOf('a = ?', [])).toThrow(RangeError);
    expect(() => textOf('a = ?', [1, 2])).toThrow(RangeError);
    for (const value of [NaN, Infinity]) expect(() => literal(value)).toThrow(RangeError);
  });

  it('is split before it is longer than the server takes', () => {
    const table = { name: 't', columns: ['a'], order: 0 };
    const row = ['x'.repeat(MAX_TEXT / 4)];
    const texts = insertTexts(table, [row, row, row]);
    expect(texts).toHaveLength(3);
    for (const text of texts) expect(text.startsWith('INSERT INTO t (a) VALUES (')).toBe(true);
  });
});
