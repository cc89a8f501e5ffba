import { FORMS, type Form } from './operations.ts';

/** A text of a form, by where it begins. */
export interface Text {
  readonly at: number;
  readonly form: Form;
}

/** The form of the text that begins there; null where none does. */
export const formAt = (bytes: Uint8Array, at: number): Form | null => {
  if (VALUES[bytes[at]!] === NO_DIGIT) return null;
  for (const form of FORMS) if (isOf(form, bytes, at)) return form;
  return null;
};

const isOf = ({ length, high, low, others, characters }: Form, bytes: Uint8Array, at: number) => {
  if (at + length > bytes.length) return false;
  for (let i = 0; i < others.length; i++)
    if (bytes[at + others[i]!] !== characters[i]) return false;
  for (let i = 0; i < high.length; i++)
    if (VALUES[bytes[at + high[i]!]!] === NO_DIGIT || VALUES[bytes[at + low[i]!]!] === NO_DIGIT)
      return false;
  return true;
};

/** Writes the digits of a text, two to a byte. */
export const digitsOf = (
  bytes: Uint8Array,
  { at, form: { high, low } }: Text,
  into: Uint8Array,
  to: number,
): void => {
  for (let i = 0; i < high.length; i++)
    into[to + i] = (VALUES[bytes[at + high[i]!]!]! << 4) | VALUES[bytes[at + low[i]!]!]!;
};

/** Writes the text of a form with these digits. */
export const textOf = (
  digits: Uint8Array,
  from: number,
  { high, low, others, characters }: Form,
  into: Uint8Array,
  to: number,
): void => {
  for (let i = 0; i < high.length; i++) {
    const byte = digits[from + i]!;
    into[to + low[i]!] = CHARACTERS[byte & 15]!;
    into[to + high[i]!] = CHARACTERS[byte >> 4]!;
  }
  for (let i = 0; i < others.length; i++) into[to + others[i]!] = characters[i]!;
};

const CHARACTERS = Buffer.from('0123456789abcdef', 'latin1');
const NO_DIGIT = 0xff;
/** The value of each byte that is a digit. Capitals are none: they would come back small. */
const VALUES = new Uint8Array(256).fill(NO_DIGIT);
CHARACTERS.forEach((character, value) => (VALUES[character] = value));
