import { Decoder, Encoder } from 'cbor-x';
import { bytesEqual } from './digest.ts';
import { decodePlainCbor } from './plain-cbor.ts';

/**
 * Deterministic CBOR: RFC 8949 section 4.2.1, narrowed to what a chain holds. Text and integers as map keys;
 * text, bytes, integers, booleans, null, arrays and maps as values. No floating-point number and no tag ever.
 */
export type CborKey = string | number;
export type CborValue =
  | null
  | boolean
  | number
  | string
  | Uint8Array
  | readonly CborValue[]
  | ReadonlyMap<CborKey, CborValue>
  | { readonly [member: string]: CborValue };

/** Input that is not deterministic CBOR of the profile above. */
export class CborError extends Error {
  override readonly name = 'CborError';
}

// cbor-x alone is not deterministic: it keeps insertion order and writes integers past 32 bits as floats.
const OPTIONS = {
  useRecords: false,
  mapsAsObjects: false,
  variableMapSize: true,
  useTag259ForMaps: false,
  tagUint8Array: false,
} as const;
const encoder = new Encoder(OPTIONS);
const decoder = new Decoder(OPTIONS);

/** @throws CborError where the value lies outside the profile. */
export const encodeCbor = (value: CborValue): Uint8Array =>
  new Uint8Array(encoder.encode(normalise(value)));

/**
 * Decodes one item and refuses everything that a deterministic encoder would not have written: long
 * forms, indefinite lengths, unsorted or repeated keys, tags, floats, bad UTF-8, trailing bytes.
 *
 * @throws CborError
 */
export const decodeCbor = (bytes: Uint8Array): CborValue => {
  const plain = decodePlainCbor(bytes);
  return plain === undefined ? decodeCborInFull(bytes) : plain;
};

/** The same without the short way. */
export const decodeCborInFull = (bytes: Uint8Array): CborValue => {
  const { value, again } = decodedAndAgain(bytes);
  // Encoding the decoded value again finds every leniency of the decoder, without a list of them.
  if (!bytesEqual(bytes, again))
    throw new CborError('not deterministic CBOR (RFC 8949 section 4.2.1)');
  return value;
};

/**
 * The same with map keys in any order, which is how ordinary COSE libraries write a protected header. No key twice, no
 * long form, nothing else that `decodeCbor` refuses.
 *
 * @throws CborError
 */
export const decodeUnorderedCbor = (bytes: Uint8Array): CborValue => {
  const { value, again } = decodedAndAgain(bytes);
  // Only the order of the same bytes may differ.
  if (!bytesEqual(bytes.toSorted(), again.toSorted()))
    throw new CborError('not the shortest form, or a map key that stands twice');
  return value;
};

const decodedAndAgain = (
  bytes: Uint8Array,
): { readonly value: CborValue; readonly again: Uint8Array } => {
  assertPlain(bytes);
  try {
    // The library leaves a property on the array that it decodes, so it gets a view of its own.
    const value = restore(decoder.decode(bytes.subarray()), 0);
    return { value, again: encodeCbor(value) };
  } catch (cause) {
    throw cause instanceof CborError ? cause : new CborError('not well-formed CBOR', { cause });
  }
};

const MAX_DEPTH = 64;

/**
 * Walks the heads (RFC 8949 section 3) before the library sees the bytes. The library's tag
 * readers, to which any code in the process may add, build objects, evaluate shared references
 * twice at each level, and add up bignums digit by digit: a few hostile bytes could stall it. So
 * only integers, strings, arrays, maps, booleans and null pass this check.
 */
const assertPlain = (bytes: Uint8Array): void => {
  if (plainItemLength(bytes) !== bytes.length)
    throw new CborError('bytes after the end of the data');
};

/**
 * How many bytes the first item has, of a sequence of them (RFC 8742).
 *
 * @throws CborError where they are no item of the profile above.
 */
export const plainItemLength = (bytes: Uint8Array): number => {
  let at = 0;
  /** Items still to come, at each level of nesting. */
  const pending = [1];
  while (pending.length > 0) {
    const level = pending.length - 1;
    if (pending[level] === 0) {
      pending.pop();
      continue;
    }
    pending[level]!--;
    if (at >= bytes.length) throw new CborError('the data ends too early');
    const major = bytes[at]! >> 5;
    const info = bytes[at++]! & 0x1f;
    if (info > 27) throw new CborError('an indefinite length or a reserved head');
    let argument = info;
    if (info > 23) {
      const width = 1 << (info - 24);
      if (at + width > bytes.length) throw new CborError('the data ends too early');
      argument = 0;
      for (const end = at + width; at < end; at++) argument = argument * 256 + bytes[at]!;
    }
    if (major <= 1) continue;
    if (major === 6) throw new CborError('a tag');
    if (major === 7) {
      if (info < 20 || info > 22)
        throw new CborError('a float, or a simple value other than true, false and null');
      continue;
    }
    // Each byte of a string and each item takes at least one byte, so no length may exceed what is
    // left.
    if (argument > bytes.length - at) throw new CborError('a length beyond the end of the data');
    if (major <= 3) at += argument;
    else if (pending.push(major === 4 ? argument : 2 * argument) > MAX_DEPTH + 2)
      throw new CborError('nested too deep');
  }
  return at;
};

const normalise = (value: CborValue, depth = 0): unknown => {
  if (depth > MAX_DEPTH) throw new CborError('nested too deep');
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return integer(value);
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new CborError('lone surrogate in a text string');
    return value;
  }
  if (value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map((item) => normalise(item as CborValue, depth + 1));
  if (value instanceof Map)
    return sortedMap([...(value as ReadonlyMap<CborKey, CborValue>)], depth);
  if (typeof value === 'object')
    return sortedMap(Object.entries(value as { readonly [member: string]: CborValue }), depth);
  throw new CborError(`a ${typeof value} has no place in a statement`);
};

const integer = (value: number): number | bigint => {
  if (!Number.isSafeInteger(value) || Object.is(value, -0))
    throw new CborError(`${value} is not an integer within ±(2^53 − 1)`);
  return value > 0xffffffff || value < -0x100000000 ? BigInt(value) : value;
};

/** Keys in bytewise order of their encodings (RFC 8949 section 4.2.1). */
const sortedMap = (
  entries: readonly (readonly [CborKey, CborValue])[],
  depth: number,
): Map<unknown, unknown> => {
  const keyed = entries.map(([key, item]) => ({
    key,
    order: keyOrder(key),
    item: normalise(item, depth + 1),
  }));
  keyed.sort((a, b) => compareBytes(a.order, b.order));
  const map = new Map<unknown, unknown>();
  for (const { key, item } of keyed) {
    if (map.has(key)) throw new CborError('a map key stands twice');
    map.set(typeof key === 'number' ? integer(key) : key, item);
  }
  return map;
};

const keyOrders = new Map<CborKey, Uint8Array>();
const keyOrder = (key: CborKey): Uint8Array => {
  const known = keyOrders.get(key);
  if (known) return known;
  const bytes = new Uint8Array(encoder.encode(normalise(key)));
  if (keyOrders.size < 1024 && bytes.length <= 64) keyOrders.set(key, bytes); // member names of statements recur for ever; hostile ones are not kept
  return bytes;
};

const compareBytes = (a: Uint8Array, b: Uint8Array): number => {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
};

const restore = (value: unknown, depth: number): CborValue => {
  if (depth > MAX_DEPTH) throw new CborError('nested too deep');
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') {
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw new CborError('integer outside ±(2^53 − 1)');
    return number;
  }
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (Array.isArray(value)) return value.map((item) => restore(item, depth + 1));
  if (value instanceof Map) {
    const map = new Map<CborKey, CborValue>();
    for (const [key, item] of value) {
      const name = typeof key === 'bigint' ? Number(key) : (key as unknown);
      if (typeof name !== 'string' && typeof name !== 'number')
        throw new CborError('a map key is neither text nor integer');
      map.set(name, restore(item, depth + 1));
    }
    return map;
  }
  throw new CborError('a tag, a float or an undefined value');
};
