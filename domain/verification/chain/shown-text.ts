import type { JsonValue } from '../../kernel/canonical-json.ts';
import { printable } from '../../kernel/printable.ts';

/** Text of a file in one line between double quotes, which it cannot end: cut, and how long it was stands after them. */
export const quote = (text: string, max = 200): string => {
  const isCut = text.length > max;
  const shown = plain(isCut ? text.slice(0, max) : text);
  return `"${shown}"${isCut ? `… (cut, ${text.length} characters)` : ''}`;
};

/** As above, without the quotes: for what has a place of its own. */
export const plain = (text: string): string =>
  printable(text.trim().replace(/\s+/gu, ' ').replace(/\\/g, '\\\\').replace(/"/g, '\\"')).replace(
    STACKED,
    '$1',
  );

/** Marks that are heaped on one letter reach into other lines. */
const STACKED = /(\p{M}{4})\p{M}+/gu;

/** A value as JSON in one line, cut. It is no JSON any more once it was cut, so it stands alone. */
export const shownJson = (value: JsonValue, max = 200): string => {
  const text = JSON.stringify(value);
  const isCut = text.length > max;
  const shown = printable((isCut ? text.slice(0, max) : text).replace(/\s+/gu, ' '));
  return `${shown.replace(STACKED, '$1')}${isCut ? `… (cut, ${text.length} characters)` : ''}`;
};
