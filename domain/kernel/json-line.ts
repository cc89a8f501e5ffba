/**
 * A JSON text that is one line for whoever reads it: with the characters escaped at which some readers end a line (U+0085,
 * U+2028, U+2029; Python's splitlines), and the control characters of ISO 6429 (C1), which a terminal obeys. It says the
 * same (RFC 8259 section 7). What JSON.stringify gives has all others escaped already.
 */
export const jsonLine = (json: string): string => json.replace(UNSAFE, escaped);

const UNSAFE = /[\u007f-\u009f\u2028\u2029]/g;

const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
