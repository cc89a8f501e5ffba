import type { Uuid } from '../../../domain/kernel/ids.ts';

/**
 * The 16 bytes of a UUID. A record has up to eleven UUIDs, so this uses lookup tables: creating a
 * Buffer and a copy of the text for each took longer than all other work on a row. Any other text
 * is read as hex digits.
 */
export const uuidToBytes = (uuid: Uuid): Uint8Array => {
  const bytes = Buffer.allocUnsafe(16);
  let invalid = uuid.length ^ 36;
  for (const at of HYPHENS_AT) invalid |= uuid.charCodeAt(at) ^ HYPHEN;
  for (let i = 0; i < 16; i++) {
    const at = DIGITS_AT[i]!;
    const byte = (digitAt(uuid, at) << 4) | digitAt(uuid, at + 1);
    invalid |= byte >> 8;
    bytes[i] = byte;
  }
  return invalid === 0 ? bytes : Buffer.from(uuid.replaceAll('-', ''), 'hex');
};

/** The canonical text, in lowercase. */
export const uuidFromBytes = (b: Uint8Array): Uuid =>
  `${pair(b, 0)}${pair(b, 1)}${pair(b, 2)}${pair(b, 3)}-${pair(b, 4)}${pair(b, 5)}-${pair(b, 6)}${pair(b, 7)}-` +
  `${pair(b, 8)}${pair(b, 9)}-${pair(b, 10)}${pair(b, 11)}${pair(b, 12)}${pair(b, 13)}${pair(b, 14)}${pair(b, 15)}`;

/**
 * From 32 hexadecimal digits. Any other text gives one that is no UUID: whoever edits a row is found by its MAC, and must not
 * keep every other row from being read.
 */
export const uuidFromHex = (digits: string): Uuid => {
  const hex = digits.toLowerCase();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

const pair = (bytes: Uint8Array, at: number): string => PAIRS[bytes[at]!]!;

/** The place of the two digits of each byte in the text. */
const DIGITS_AT: readonly number[] = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

const HYPHENS_AT = [8, 13, 18, 23] as const;
const HYPHEN = 45;

/** `00` to `ff`. */
const PAIRS: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
);

/** -1 for a character that is not a hexadecimal digit. */
const VALUES = Int8Array.from({ length: 128 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
);

const digitAt = (text: string, at: number): number => VALUES[text.charCodeAt(at)] ?? -1;
