import { DICTIONARY } from './dictionary.ts';
import { FROM } from './operations.ts';

/** Where a stretch of bytes stands in the dictionary. */
export interface Found {
  readonly place: number;
  readonly length: number;
}

/** How many bytes are the same in the dictionary from `place` and in the bytes from `at`. */
export const sameBytes = (bytes: Uint8Array, at: number, place: number, most: number): number => {
  const end = Math.min(most, bytes.length - at, DICTIONARY.length - place);
  let length = 0;
  while (length < end && bytes[at + length] === DICTIONARY[place + length]) length++;
  return length;
};

/** The longest stretch of the dictionary with which the bytes go on there; null where it is too short to be named. */
export const longestAt = (bytes: Uint8Array, at: number): Found | null => {
  if (at + FROM.shortest > bytes.length) return null;
  let found: Found | null = null;
  for (let place = FIRST[slotOf(bytes, at)]!; place !== NOWHERE; place = NEXT[place]!) {
    const length = sameBytes(bytes, at, place, FROM.longest);
    if (length >= FROM.shortest && length > (found?.length ?? 0)) found = { place, length };
  }
  return found;
};

const slotOf = (bytes: Uint8Array, at: number): number =>
  Math.imul(
    bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24),
    0x9e3779b1,
  ) >>> 18;

const NOWHERE = 0xffff;
/** The places of four bytes, by a hash of these, in a chain. */
const FIRST = new Uint16Array(1 << 14).fill(NOWHERE);
const NEXT = new Uint16Array(DICTIONARY.length).fill(NOWHERE);
for (let place = DICTIONARY.length - FROM.shortest; place >= 0; place--) {
  const slot = slotOf(DICTIONARY, place);
  NEXT[place] = FIRST[slot]!;
  FIRST[slot] = place;
}
