import { fingerprintFrom } from '../../../domain/verification/keys/fingerprint.ts';

/** A field holds a text that is not a fingerprint. The message is for the reader, and does not repeat the text. */
export class FingerprintError extends Error {
  override readonly name = 'FingerprintError';
}

/**
 * The fingerprints in a field: none, one, or several with spaces, commas or semicolons between them. Spaces may be inside
 * of a fingerprint too, so its parts are put together until they are 64 digits.
 *
 * @throws FingerprintError if a part of the text is not a fingerprint.
 */
export const fingerprintsIn = (text: string): readonly string[] =>
  text.split(/[,;]/).flatMap((group) => {
    const found: string[] = [];
    let open = '';
    for (const word of group.split(/\s+/)) {
      if (word === '') continue;
      open += open === '' ? word : ` ${word}`;
      const fingerprint = fingerprintFrom(open);
      if (fingerprint === null) continue;
      found.push(fingerprint);
      open = '';
    }
    if (open !== '') throw new FingerprintError(faultOf(open));
    return found;
  });

const EXAMPLE = 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** What is wrong with it, and what is needed. The text itself may be a secret that was put into the wrong field. */
const faultOf = (text: string): string => {
  const digits = text.replace(/^sha-?256:/i, '').replace(/[\s:]/g, '');
  const what = /^[0-9a-f]+$/i.test(digits)
    ? `This has ${digits.length} digits, and a fingerprint has 64.`
    : 'This is not a fingerprint.';
  return `${what} A fingerprint is a SHA-256: 64 digits from 0 to 9 and a to f. Example: ${EXAMPLE}. Capitals, spaces, colons and “sha256:” at the start make no difference.`;
};
