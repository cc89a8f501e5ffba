/** What the bytes of a token are not; the message says it. */
export class TokenFault extends Error {
  override readonly name = 'TokenFault';
}

const MAX_DEPTH = 32;

/**
 * Refuses what is not one DER value (X.690 section 10): a length in another than the shortest form, an indefinite one, a
 * boolean or an integer that is written otherwise, bytes behind the end. BER would leave many spellings of one token.
 *
 * @throws TokenFault
 */
export const assertDer = (bytes: Uint8Array): void => {
  if (valueEnd(bytes, 0, bytes.length, 0) !== bytes.length)
    throw new TokenFault('there are bytes behind its end');
};

const CONSTRUCTED = 0x20;
const BOOLEAN = 1;
const INTEGER = 2;

const valueEnd = (bytes: Uint8Array, start: number, limit: number, depth: number): number => {
  if (depth > MAX_DEPTH) throw new TokenFault('it is nested too deeply');
  const tag = bytes[start];
  if (tag === undefined || start >= limit) throw new TokenFault('it is cut short');
  // None of the structures here has a tag number above 30.
  if ((tag & 0x1f) === 0x1f) throw new TokenFault('it has a tag of several bytes');
  const { from, length } = lengthAt(bytes, start + 1, limit);
  const end = from + length;
  if (end > limit) throw new TokenFault('it is cut short');
  if (tag & CONSTRUCTED) {
    let at = from;
    while (at < end) at = valueEnd(bytes, at, end, depth + 1);
  } else if (tag === BOOLEAN) {
    if (length !== 1 || (bytes[from] !== 0 && bytes[from] !== 0xff))
      throw new TokenFault('a boolean in it is not DER');
  } else if (tag === INTEGER) {
    const isPadded =
      (bytes[from] === 0 && bytes[from + 1]! < 0x80) ||
      (bytes[from] === 0xff && bytes[from + 1]! >= 0x80);
    if (length === 0 || (length > 1 && isPadded))
      throw new TokenFault('an integer in it is not DER');
  }
  return end;
};

const lengthAt = (
  bytes: Uint8Array,
  at: number,
  limit: number,
): { readonly from: number; readonly length: number } => {
  const first = bytes[at];
  if (first === undefined || at >= limit) throw new TokenFault('it is cut short');
  if (first < 0x80) return { from: at + 1, length: first };
  const count = first & 0x7f;
  if (count === 0 || count > 4) throw new TokenFault('a length in it is not DER');
  let length = 0;
  for (let index = 1; index <= count; index++) length = length * 256 + (bytes[at + index] ?? 0);
  const isShortest = length >= 0x80 && length >= 256 ** (count - 1);
  if (at + count >= limit || !isShortest) throw new TokenFault('a length in it is not DER');
  return { from: at + 1 + count, length };
};
