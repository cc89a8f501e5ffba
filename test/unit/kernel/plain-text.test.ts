import { describe, expect, it } from 'vitest';
import { LINE_PATTERN, refusedCharacter, TEXT_PATTERN } from '../../../domain/kernel/plain-text.ts';

const isTaken = (text: string, pattern: string): boolean => new RegExp(pattern, 'u').test(text);

describe('a name', () => {
  it('is one line of any script', () => {
    for (const name of [
      '',
      'Acme',
      'Ångström & Söhne',
      '株式会社　東京',
      'שלום',
      'نص',
      '👧🏽 ❤️ family ⚖️',
      'e\u0301 \u{1f1e9}\u{1f1ea}',
      '\u{1d511}',
    ])
      expect(isTaken(name, LINE_PATTERN)).toBe(true);
  });

  it('holds no control, invisible or bidirectional character, and a refusal says which and where', () => {
    const codes = [
      ...Array.from({ length: 0x20 }, (_, code) => code),
      ...Array.from({ length: 0x21 }, (_, at) => 0x7f + at),
      ...[0x61c, 0x200e, 0x200f, 0x2028, 0x2029],
      ...[0xad, 0x180e, 0x200b, 0x200c, 0x200d, 0x2060, 0x2064, 0xfeff, 0xfff9, 0xe0041],
      ...[0x115f, 0x1160, 0x3164, 0xffa0],
      ...[0x34f, 0x17b4, 0x180b, 0x2065, 0xfe00, 0xfe0f, 0xfff0, 0xe0100, 0xe0fff],
      ...[0xa0, 0x1680, 0x2000, 0x200a, 0x202f, 0x205f, 0x2800, 0x2d7f, 0xfdd0, 0xfffc, 0xfffe],
      ...[0x1107f, 0x13441, 0x13442, 0x16fe4, 0x1d159, 0x1fffe],
      ...[0xe000, 0xf8ff, 0xf0000],
      ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
    ];
    for (const code of codes) {
      const text = `😀a${String.fromCodePoint(code)}b`;
      expect({ code, taken: isTaken(text, LINE_PATTERN) }).toEqual({ code, taken: false });
      const hex = code.toString(16).toUpperCase().padStart(4, '0');
      expect(refusedCharacter(text, LINE_PATTERN)).toMatch(
        new RegExp(`^U\\+${hex} [A-Za-z0-9 -]+ \\(character 3\\)$`),
      );
    }
    expect(refusedCharacter('a\u202eb', LINE_PATTERN)).toBe(
      'U+202E RIGHT-TO-LEFT OVERRIDE (character 2)',
    );
    expect(refusedCharacter('\ufeffa', LINE_PATTERN)).toBe(
      'U+FEFF ZERO WIDTH NO-BREAK SPACE (character 1)',
    );
    expect(refusedCharacter('a\u0000', LINE_PATTERN)).toBe('U+0000 NULL (character 2)');
  });
});

describe('a text', () => {
  it('has lines and tabs, and the marks of text from right to left', () => {
    expect(isTaken('one\r\n\ttwo\u200e\u200f\u061c\u2028', TEXT_PATTERN)).toBe(true);
  });

  it('has no other control character, and none that turns its direction', () => {
    for (const character of '\u0000\u0007\u000b\u001b\u007f\u0085\u202a\u202e\u2066\u2069')
      expect(refusedCharacter(`a${character}`, TEXT_PATTERN)).toMatch(/^U\+[0-9A-F]{4} /);
    expect(refusedCharacter('a\n', TEXT_PATTERN)).toBeNull();
    expect(refusedCharacter('a\u0000', '^a$')).toBeNull();
  });
});
