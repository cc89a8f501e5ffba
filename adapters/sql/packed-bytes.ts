import { deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * Signed bytes that are kept for ever and seldom read, in less space: what they share with all others of their kind is in
 * a dictionary. They come back byte for byte. A stored value says by its first byte what it is: a COSE_Sign1 structure
 * begins with its tag, 0xd2 (RFC 9052 section 2), and is as it is.
 */
export const packed = (bytes: Uint8Array): Uint8Array => {
  const looksPacked = bytes[0] === PACKED_1;
  if (bytes[0] !== COSE_SIGN1_TAG && !looksPacked) return bytes;
  const deflated = deflateRawSync(bytes, { ...DEFLATE, ...BUFFER, dictionary: DICTIONARY });
  return looksPacked || deflated.length + 1 < bytes.length
    ? Buffer.concat([Uint8Array.of(PACKED_1), deflated])
    : bytes;
};

/** What cannot be unpacked was written by somebody else: it is given as it is, and is no signed structure. */
export const unpacked = (stored: Uint8Array): Uint8Array => {
  if (stored[0] !== PACKED_1) return new Uint8Array(stored);
  try {
    return new Uint8Array(
      inflateRawSync(stored.subarray(1), {
        ...BUFFER,
        dictionary: DICTIONARY,
        maxOutputLength: LONGEST,
      }),
    );
  } catch {
    return new Uint8Array(stored);
  }
};

const COSE_SIGN1_TAG = 0xd2;
/** The dictionary below. Another one is another first byte: what was packed with this one needs it for ever. */
const PACKED_1 = 0x01;
const LONGEST = 1 << 20;
const DEFLATE = { level: 6, memLevel: 5, windowBits: 12 };
/** Of the buffer of each call: a structure is shorter, and 16 KiB, the usual size, cost more than the work itself. */
const BUFFER = { chunkSize: 1_024 };

/** A checkpoint without what is its own; what all of them have stands last, where a reference to it is short. */
const DICTIONARY = Buffer.from(
  '0123456789abcdef"chainKind":"admin","chainKind":"schema","chainKey":"schema:","name":"chain/schema:https://service.invalid' +
    "\u0001'\u0003x\u001capplication/vnd.in-toto+jsonapplication/vnd.in-toto+cbor\u0004X \u000f\u0001x0urn:service:\u0002x$" +
    '\u0006\u001ak\u0010x&application/vnd.notary.checkpoint+cose' +
    '{"_type":"https://in-toto.io/Statement/v1","predicate":{"at":"2026-01-01T00:00:00.000Z","chainKey":"","chainKind":"record",' +
    '"headHash":"","logIndex":,"position":1},"predicateType":"/predicates/vault-checkpoint/v1","subject":[{"digest":{"sha256":""},"name":"chain/"}]}X@',
  'latin1',
);
