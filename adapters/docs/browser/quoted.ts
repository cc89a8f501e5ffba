import { printable } from '../../../domain/kernel/printable.ts';

/** Characters of a title on the first screen. */
const MAX_LENGTH = 120;

/**
 * The words of the party that made the record, so that they cannot pass for words of this page: in quotes, with no quotes
 * of this kind inside, and without characters that change the direction or the line.
 */
export const quoted = (text: string): string => {
  const characters = [...printable(text).replace(/[“”]/g, '"')];
  const isLong = characters.length > MAX_LENGTH;
  return `“${characters.slice(0, MAX_LENGTH).join('')}${isLong ? '…' : ''}”`;
};
