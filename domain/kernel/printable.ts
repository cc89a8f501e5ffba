/** Text of hostile origin, fit for a terminal: cut, and without control or direction characters. */
export const printable = (text: string): string =>
  text.slice(0, MAX_TEXT).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, escaped);

/** The same of a text of several lines, which is not cut. */
export const printableLines = (text: string): string =>
  text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, escaped);

const escaped = (char: string): string => {
  const hex = char.codePointAt(0)!.toString(16).padStart(4, '0');
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex}`;
};

const MAX_TEXT = 400;
