/** ECDSA signatures as r‖s of 32 bytes each (RFC 9053 section 2.1), and as ASN.1 DER (RFC 3279 section 2.2.3). */

const [SEQUENCE, INTEGER] = [0x30, 0x02];
const HALF = 32;

/** @param raw 64 bytes. */
export const ecdsaToDer = (raw: Uint8Array): Uint8Array => {
  const body = [...integer(raw.subarray(0, HALF)), ...integer(raw.subarray(HALF))];
  return Uint8Array.of(SEQUENCE, body.length, ...body);
};

/** Null where the bytes are no DER of two numbers of at most 32 bytes, or not the one form that DER allows. */
export const ecdsaFromDer = (der: Uint8Array): Uint8Array | null => {
  const raw = new Uint8Array(2 * HALF);
  let at = 2;
  for (const end of [HALF, 2 * HALF]) {
    const length = der[at + 1] ?? 0;
    const magnitude = withoutZeros(der.subarray(at + 2, at + 2 + length));
    if (magnitude.length > HALF) return null;
    raw.set(magnitude, end - magnitude.length);
    at += 2 + length;
  }
  const again = ecdsaToDer(raw);
  return again.length === der.length && again.every((byte, index) => byte === der[index])
    ? raw
    : null;
};

const integer = (bytes: Uint8Array): readonly number[] => {
  const magnitude = withoutZeros(bytes);
  // The first bit is a sign, and zero takes a byte.
  const pad = (magnitude[0] ?? 0x80) & 0x80 ? [0] : [];
  return [INTEGER, pad.length + magnitude.length, ...pad, ...magnitude];
};

const withoutZeros = (bytes: Uint8Array): Uint8Array => {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? new Uint8Array(0) : bytes.subarray(first);
};
