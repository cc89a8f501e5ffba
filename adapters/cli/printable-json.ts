/**
 * JSON for people and programs, in which nothing acts on a terminal: control and direction characters, C1 among them,
 * stand as escapes. Whoever parses it reads the same values.
 */
export const printableJson = (value: object): string =>
  `${JSON.stringify(value, null, 2).replace(ACTING, (char) =>
    Array.from(
      { length: char.length },
      (_, index) => `\\u${char.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  )}\n`;

// JSON.stringify escapes what lies below U+0020 by itself; the line feeds that are left are its own.
const ACTING = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
