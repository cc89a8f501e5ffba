/**
 * One row of RFC 4180. A spreadsheet takes a cell for a formula where it begins with one of a few characters; such a cell
 * gets an apostrophe before it, which spreadsheets take for "text".
 */
export const csvRow = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;

const cell = (text: string): string => {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

const FORMULA = /^[=+\-@\t\r\n]/;
const NEEDS_QUOTES = /[",\r\n]/;
