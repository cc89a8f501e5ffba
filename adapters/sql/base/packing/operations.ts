/*
 * The form of packed bytes: operations, one after the other, each of which adds bytes to what is unpacked. It is kept for
 * ever, as is the dictionary: what was sealed is stored in it.
 *
 * | first byte | what follows it | adds |
 * | --- | --- | --- |
 * | 0x00 to 0x3f | 1 to 64 bytes | these bytes |
 * | 0x40 to 0x9f | | the next 1 to 96 bytes of the dictionary, behind those that were taken from it last |
 * | 0xa0 to 0xef | a place, in two bytes, the high one first | 4 to 83 bytes of the dictionary from there |
 * | 0xf0 to 0xf3 | two digits a byte | a text of one of the forms below |
 * | 0xf4 | a number in one byte | once more the first (0), the second (1) … of the texts that 0xf0 to 0xf3 added |
 *
 * Structures of one kind say the same in the same order. So nearly all that is stored of one is what no dictionary knows:
 * ids, hashes, times and a signature.
 */

/** An operation whose first byte says how many bytes it adds. */
export interface Stretch {
  /** The first byte of the shortest. */
  readonly op: number;
  readonly shortest: number;
  readonly longest: number;
}

export const LITERAL: Stretch = { op: 0x00, shortest: 1, longest: 64 };
export const ONWARD: Stretch = { op: 0x40, shortest: 1, longest: 96 };
export const FROM: Stretch = { op: 0xa0, shortest: 4, longest: 83 };
export const AGAIN = 0xf4;

/** A text of hexadecimal digits, in small letters, between characters that are always the same. */
export interface Form {
  readonly op: number;
  readonly length: number;
  /** Where the two digits of each byte stand. Of an odd number of digits the last one makes both halves of a byte. */
  readonly high: Uint8Array;
  readonly low: Uint8Array;
  /** Where the other characters stand, and which they are. */
  readonly others: Uint8Array;
  readonly characters: Uint8Array;
}

/** @param pattern has a zero for each digit. */
const form = (op: number, pattern: string): Form => {
  const places = Array.from(pattern, (_, place) => place);
  const digits = places.filter((place) => pattern[place] === '0');
  const others = places.filter((place) => pattern[place] !== '0');
  const high = digits.filter((_, index) => index % 2 === 0);
  return {
    op,
    length: pattern.length,
    high: Uint8Array.from(high),
    low: Uint8Array.from(high, (place, index) => digits[2 * index + 1] ?? place),
    others: Uint8Array.from(others),
    characters: Uint8Array.from(others, (place) => pattern.charCodeAt(place)),
  };
};

/** Of those that begin alike the longer one first. */
export const FORMS: readonly Form[] = [
  form(0xf0, '00000000-0000-0000-0000-000000000000'),
  form(0xf1, '0'.repeat(64)),
  form(0xf2, '0'.repeat(32)),
  form(0xf3, '0000-00-00T00:00:00.000Z'),
];

/** So many texts of a form can be named again. */
export const MOST_TEXTS = 256;

/** What is longer is not packed, and nothing is unpacked to more: a few bytes that somebody stored fill no memory. */
export const LONGEST = 1 << 20;
