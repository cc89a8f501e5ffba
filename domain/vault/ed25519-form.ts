/**
 * What an Ed25519 signature must look like before its equation is asked at all. Runtimes differ in what they take; these
 * checks do not depend on them, and cost a few comparisons of bytes.
 *
 * Refused: S at or above the order L (RFC 8032 section 5.1.7), and an R that is not canonical or has a small order.
 */
export const isSoundEd25519Signature = (signature: Uint8Array): boolean =>
  signature.length === 64 &&
  isBelowOrder(signature) &&
  isBelowPrime(signature) &&
  !isSmallOrder(signature);

/** L = 2^252 + 27742317777372353535851937790883648493, little-endian. */
const ORDER = Uint8Array.of(
  ...[0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde],
  ...[0x14, ...new Uint8Array(15), 0x10],
);

const isBelowOrder = (signature: Uint8Array): boolean => {
  for (let i = 31; i >= 0; i--) {
    const difference = signature[32 + i]! - ORDER[i]!;
    if (difference !== 0) return difference < 0;
  }
  return false;
};

/** y of R below 2^255 − 19, little-endian; the highest bit is the sign of x. */
const isBelowPrime = (signature: Uint8Array): boolean => {
  if ((signature[31]! & 0x7f) !== 0x7f || signature[0]! < 0xed) return true;
  for (let i = 30; i > 0; i--) if (signature[i] !== 0xff) return true;
  return false;
};

const hex = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/**
 * The y of the eight points of small order, below the prime: each is the y of two of them, or, at 1 and −1, has a second
 * encoding with a sign that zero does not have.
 */
const SMALL_ORDER: readonly Uint8Array[] = [
  hex('00'.repeat(32)),
  hex(`01${'00'.repeat(31)}`),
  hex(`ec${'ff'.repeat(30)}7f`),
  hex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'),
  hex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'),
];

const isSmallOrder = (signature: Uint8Array): boolean =>
  SMALL_ORDER.some((y) => {
    if (signature[0] !== y[0] || (signature[31]! & 0x7f) !== y[31]) return false;
    for (let i = 1; i < 31; i++) if (signature[i] !== y[i]) return false;
    return true;
  });

/**
 * A signature whose R is a sound point and one of order 8 together. Whoever checks [S]B = R + [k]A as it stands
 * (RFC 8032 section 5.1.7), which is the answer that two verifiers must agree on, refuses it.
 */
export const WITH_COFACTOR = {
  publicKey: hex('758b890e14d86cb8ce8eaf22f7061c54801d3f8956784eddeb864b6efffd4e3e'),
  signature: hex(
    'fcf42aaeeaa1b8f27fd5ee479e237787b5604518bd1de1673b73abc1e11923ef421b6e62395d20158e09737f4178bbe28128b286f42f7b7dee721b2048d80b00',
  ),
  bytes: new TextEncoder().encode('cofactor'),
} as const;

type Verify = (publicKey: Uint8Array, signature: Uint8Array, bytes: Uint8Array) => Promise<boolean>;

/** Whether an implementation refuses it. Nothing that one says of a signature is to be believed here that does not. */
export const isWithoutCofactor = async (verify: Verify): Promise<boolean> =>
  !(await verify(WITH_COFACTOR.publicKey, WITH_COFACTOR.signature, WITH_COFACTOR.bytes));
