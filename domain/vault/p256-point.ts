/** The field of P-256 and the constant of its equation (NIST SP 800-186 section 3.2.1.3). */
const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

/**
 * Whether this is an uncompressed point of P-256 (SEC 1 section 2.3.3): 04, x and y, both below the prime, on
 * y² = x³ − 3x + b. The curve has no subgroup, so a point of it is one of the group.
 *
 * @param raw 65 bytes.
 */
export const isP256Point = (raw: Uint8Array): boolean => {
  if (raw.length !== 65 || raw[0] !== 4) return false;
  const [x, y] = [integer(raw.subarray(1, 33)), integer(raw.subarray(33))];
  return x < P && y < P && (y * y - (x * x - 3n) * x - B) % P === 0n;
};

const integer = (bytes: Uint8Array): bigint =>
  bytes.reduce((value, byte) => value * 256n + BigInt(byte), 0n);
