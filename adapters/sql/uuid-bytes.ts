import type { Uuid } from '../../domain/kernel/ids.ts';

/**
 * The 16 bytes of a UUID. A record has up to eleven, so this works by tables: a Buffer and a copy of the text for
 * each took longer than everything else that is done to a row. Any other text is read as hex digits.
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

const pair = (bytes: Uint8Array, at: number): string => PAIRS[bytes[at]!]!;

/** Where the two digits of each byte stand in the text. */
const DIGITS_AT: readonly number[] = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

const HYPHENS_AT = [8, 13, 18, 23] as const;
const HYPHEN = 45;

/** `00` to `ff`. */
const PAIRS: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
);

/** -1 for what is no hexadecimal digit. */
const VALUES = Int8Array.from({ length: 128 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
);

const digitAt = (text: string, at: number): number => VALUES[text.charCodeAt(at)] ?? -1;
