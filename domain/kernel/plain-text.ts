/**
 * What a name or a text that people read may not hold, as patterns of JSON Schema. Control characters (Unicode category
 * Cc) move the cursor of a terminal, or end a line of a log; bidirectional ones (Unicode UAX #9) show another order of
 * the characters than the one that is sealed; invisible ones make two names look alike.
 */

/**
 * Characters that nobody sees, or that look like a space: format characters (Cf), what Unicode says to ignore when it is
 * shown (joiners, variation selectors, fillers), spaces but U+0020 and the wide U+3000, characters of private use, and a
 * few that are drawn as nothing. They would make two names look alike. The joiner of emoji is one of them, so a family of
 * emoji is refused as well.
 */
const UNSEEN =
  '\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Co}\\p{Default_Ignorable_Code_Point}' +
  '\\p{Noncharacter_Code_Point}\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u2800\\u2d7f\\ufffc' +
  '\\u{1107f}\\u{13441}\\u{13442}\\u{16fe4}\\u{1d159}';

/** A visible character. Keyboards add U+FE0F to a pictograph to show it in colour. */
const SEEN = `(?:[^${UNSEEN}]|\\p{Extended_Pictographic}\\ufe0f)`;

/** The end of a pattern for a name: visible characters up to the end of the line. */
export const REST_OF_LINE = `${SEEN}*$`;

/** A name: one line. */
export const LINE_PATTERN = `^${REST_OF_LINE}`;

/** A text: lines and tabs, and the marks that text from right to left needs around digits and signs. */
export const TEXT_PATTERN =
  '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]*$';

const LINE = new RegExp(LINE_PATTERN, 'u');
const TEXT = new RegExp(TEXT_PATTERN, 'u');

const ruleOf = (pattern: string): RegExp | null => {
  if (pattern === TEXT_PATTERN) return TEXT;
  return pattern.endsWith(REST_OF_LINE) ? LINE : null;
};

/**
 * The first character that one of the patterns above refuses, in words; null where there is none, or where the pattern
 * is another one.
 */
export const refusedCharacter = (text: string, pattern: string): string | null => {
  const rule = ruleOf(pattern);
  if (!rule || rule.test(text)) return null;
  const characters = [...text];
  const at = characters.findIndex(
    (character, place) =>
      !rule.test(character) && !rule.test(`${characters[place - 1] ?? ''}${character}`),
  );
  const code = characters[at]!.codePointAt(0)!;
  const hex = code.toString(16).toUpperCase().padStart(4, '0');
  return `U+${hex} ${NAMES.get(code) ?? (CONTROL.test(characters[at]!) ? 'a control character' : 'an invisible character')} (character ${at + 1})`;
};

/** Why such a character is refused, after its name. */
export const refusedAs = (pattern: string): string =>
  ruleOf(pattern) === LINE
    ? 'a name is one line without control, invisible or bidirectional characters'
    : 'a text has no control characters but tabs and line breaks, and none that turns its direction';

const CONTROL = /\p{Cc}/u;

const NAMES: ReadonlyMap<number, string> = new Map([
  [0x00, 'NULL'],
  [0x09, 'TAB'],
  [0x0a, 'LINE FEED'],
  [0x0d, 'CARRIAGE RETURN'],
  [0x1b, 'ESCAPE'],
  [0x7f, 'DELETE'],
  [0xa0, 'NO-BREAK SPACE'],
  [0xad, 'SOFT HYPHEN'],
  [0x034f, 'COMBINING GRAPHEME JOINER'],
  [0x061c, 'ARABIC LETTER MARK'],
  [0x200b, 'ZERO WIDTH SPACE'],
  [0x200c, 'ZERO WIDTH NON-JOINER'],
  [0x200d, 'ZERO WIDTH JOINER'],
  [0x200e, 'LEFT-TO-RIGHT MARK'],
  [0x200f, 'RIGHT-TO-LEFT MARK'],
  [0x2028, 'LINE SEPARATOR'],
  [0x2029, 'PARAGRAPH SEPARATOR'],
  [0x202a, 'LEFT-TO-RIGHT EMBEDDING'],
  [0x202b, 'RIGHT-TO-LEFT EMBEDDING'],
  [0x202c, 'POP DIRECTIONAL FORMATTING'],
  [0x202d, 'LEFT-TO-RIGHT OVERRIDE'],
  [0x202e, 'RIGHT-TO-LEFT OVERRIDE'],
  [0x2066, 'LEFT-TO-RIGHT ISOLATE'],
  [0x2067, 'RIGHT-TO-LEFT ISOLATE'],
  [0x2068, 'FIRST STRONG ISOLATE'],
  [0x2060, 'WORD JOINER'],
  [0x2069, 'POP DIRECTIONAL ISOLATE'],
  [0x2800, 'BRAILLE PATTERN BLANK'],
  [0x3164, 'HANGUL FILLER'],
  [0xfe0f, 'VARIATION SELECTOR-16'],
  [0xfeff, 'ZERO WIDTH NO-BREAK SPACE'],
]);
