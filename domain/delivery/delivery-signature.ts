import { hmac } from '@noble/hashes/hmac.js';
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { encodeBase64 } from '../kernel/base64.ts';
import { sha256, toHex } from '../kernel/digest.ts';
import type { VaultAlgorithm } from '../vault/algorithm.ts';

export type DeliveryScheme = 'hmac' | 'ed25519' | 'ecdsa-p256-sha256';

/** The RFC 9421 schemes, with the algorithm of the vault key that signs by them. */
export const ASYMMETRIC_SCHEMES = {
  ed25519: 'Ed25519',
  'ecdsa-p256-sha256': 'ES256',
} as const satisfies Record<Exclude<DeliveryScheme, 'hmac'>, VaultAlgorithm>;

export type AsymmetricScheme = keyof typeof ASYMMETRIC_SCHEMES;

/** Names of the headers, as they are sent. HTTP compares them without case. */
export const DELIVERY_HEADERS = {
  idempotencyKey: 'X-Service-Idempotency-Key',
  delivery: 'X-Service-Delivery',
  signature: 'X-Service-Signature',
} as const;

const utf8 = new TextEncoder();

/**
 * The value of X-Service-Signature, `t=<unix>,v1=<hex>` with a `v1` for each secret: that of a receiver who still has the
 * previous one is among them. HMAC-SHA256 over `<t>.<body>`, keyed with the UTF-8 of the whole secret.
 *
 * @param at seconds since 1970.
 * @param secrets newest first.
 * @throws TypeError without a secret, for a delivery that nobody can verify must not leave.
 */
export const hmacHeader = (at: number, body: Uint8Array, secrets: readonly string[]): string => {
  if (secrets.length === 0 || secrets.includes('')) throw new TypeError('no secret to sign with');
  const signed = joined(utf8.encode(`${at}.`), body);
  const versions = secrets.map(
    (secret) => `v1=${toHex(hmac(nobleSha256, utf8.encode(secret), signed))}`,
  );
  return [`t=${at}`, ...versions].join(',');
};

/** Content-Digest (RFC 9530 section 2) over the body as it is sent. */
export const contentDigest = (body: Uint8Array): string =>
  `sha-256=:${encodeBase64(sha256(body))}:`;

export interface SignedDelivery {
  readonly contentDigest: string;
  /** The value of X-Service-Idempotency-Key. */
  readonly idempotencyKey: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly keyId: string;
  readonly scheme: AsymmetricScheme;
}

/** The signature parameters (RFC 9421 section 2.3): what stands after `sig1=` in Signature-Input. */
export const signatureParams = ({ created, keyId, scheme }: SignedDelivery): string =>
  `("content-digest" "x-service-idempotency-key");created=${created};keyid="${keyId}";alg="${scheme}"`;

/** The signature base (RFC 9421 section 2.5). Its last line ends without a line feed. */
export const signatureBase = (signed: SignedDelivery): Uint8Array =>
  utf8.encode(
    [
      `"content-digest": ${signed.contentDigest}`,
      `"x-service-idempotency-key": ${signed.idempotencyKey}`,
      `"@signature-params": ${signatureParams(signed)}`,
    ].join('\n'),
  );

/** The fields of RFC 9421 and RFC 9530 for a signature over the base: raw r‖s with ECDSA (section 3.3.4). */
export const signatureHeaders = (
  signed: SignedDelivery,
  signature: Uint8Array,
): Readonly<Record<'Content-Digest' | 'Signature-Input' | 'Signature', string>> => ({
  'Content-Digest': signed.contentDigest,
  'Signature-Input': `sig1=${signatureParams(signed)}`,
  Signature: `sig1=:${encodeBase64(signature)}:`,
});

const joined = (first: Uint8Array, second: Uint8Array): Uint8Array => {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
};
