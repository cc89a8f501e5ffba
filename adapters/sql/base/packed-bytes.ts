import { inflateRawSync } from 'node:zlib';
import { CHECKPOINT_DICTIONARY } from './packing/checkpoint-dictionary.ts';
import { LONGEST } from './packing/operations.ts';
import { pack } from './packing/pack.ts';
import { unpack } from './packing/unpack.ts';

/**
 * Signed bytes that are kept for ever and seldom read, in less space: what they share with all others of their kind is in
 * a dictionary. They come back byte for byte. A stored value says by its first byte what it is: a COSE_Sign1 structure
 * begins with its tag, 0xd2 (RFC 9052 section 2), and is as it is.
 */
export const packed = (bytes: Uint8Array): Uint8Array => {
  const looksPacked = OPENERS.has(bytes[0]!);
  if (bytes[0] !== COSE_SIGN1_TAG && !looksPacked) return bytes;
  const short = shortened(bytes);
  if (short && (looksPacked || short.length + 1 < bytes.length))
    return Buffer.concat([Uint8Array.of(PACKED_2), short]);
  if (looksPacked) throw new RangeError('what begins like packed bytes cannot be packed itself');
  return bytes;
};

/** What cannot be unpacked was written by somebody else: it is given as it is, and is no signed structure. */
export const unpacked = (stored: Uint8Array): Uint8Array =>
  OPENERS.get(stored[0]!)?.(stored.subarray(1)) ?? new Uint8Array(stored);

/** The same of JSON, which does not begin with the mark. It stays text, for the column that holds it in both databases. */
export const packedText = (json: string): string => {
  const short = shortened(Buffer.from(json, 'utf8'));
  const text = short && MARK + textOf(short, 'base64');
  return text && text.length < json.length ? text : json;
};

export const unpackedText = (stored: string): string => {
  if (!stored.startsWith(MARK)) return stored;
  const bytes = unpack(Buffer.from(stored.slice(MARK.length), 'base64'));
  return bytes ? textOf(bytes, 'utf8') : stored;
};

/** What is sealed cannot be made again: it is looked whether it comes back. Null where it does not, or is too long. */
const shortened = (bytes: Uint8Array): Uint8Array | null => {
  if (bytes.length > LONGEST) return null;
  const short = pack(bytes);
  const back = unpack(short);
  return back && Buffer.compare(back, bytes) === 0 ? short : null;
};

const inflated = (stored: Uint8Array): Uint8Array | null => {
  try {
    const options = { ...BUFFER, dictionary: CHECKPOINT_DICTIONARY, maxOutputLength: LONGEST };
    return new Uint8Array(inflateRawSync(stored, options));
  } catch {
    return null;
  }
};

const textOf = (bytes: Uint8Array, encoding: 'base64' | 'utf8'): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(encoding);

/** Of the buffer of each call: a structure is shorter, and 16 KiB, the usual size, cost more than the work itself. */
const BUFFER = { chunkSize: 1_024 };
const COSE_SIGN1_TAG = 0xd2;
/** The first byte of what is written now. */
const PACKED_2 = 0x02;
/** By the first byte. Checkpoints were written in the first form before there was the second. */
const OPENERS: ReadonlyMap<number, (stored: Uint8Array) => Uint8Array | null> = new Map([
  [0x01, inflated],
  [PACKED_2, unpack],
]);
const MARK = '~';
