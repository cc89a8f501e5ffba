import { x25519 } from '@noble/curves/ed25519.js';
import { encodeBase64Url } from '../kernel/base64.ts';
import { encodeCbor, type CborKey, type CborValue } from '../kernel/deterministic-cbor.ts';
import { fromHex, hashJson, sha256 } from '../kernel/digest.ts';
import {
  assertAcceptable,
  coseKeyThumbprint,
  KeyError,
  type PublicKey,
} from '../vault/cose-key.ts';

export type Curve = 'Ed25519' | 'P-256' | 'X25519';

/** A public key that an agent publishes, in its raw form: 32 bytes, or 65-byte SEC1 for P-256. */
export interface AgentPublicKey {
  readonly curve: Curve;
  readonly raw: Uint8Array;
}

/**
 * The members of a public JWK that identify the key (RFC 7517; RFC 7518 section 6.2, RFC 8037
 * section 2).
 */
export interface PublicJwk {
  readonly kty: 'OKP' | 'EC';
  readonly crv: Curve;
  readonly x: string;
  readonly y?: string;
}

export const jwkOf = ({ curve, raw }: AgentPublicKey): PublicJwk =>
  curve === 'P-256'
    ? {
        kty: 'EC',
        crv: curve,
        x: encodeBase64Url(raw.subarray(1, 33)),
        y: encodeBase64Url(raw.subarray(33)),
      }
    : { kty: 'OKP', crv: curve, x: encodeBase64Url(raw) };

/** RFC 7638: SHA-256 over the required members in the order of their names, base64url. */
export const jwkThumbprint = (key: AgentPublicKey): string =>
  encodeBase64Url(fromHex(hashJson({ ...jwkOf(key) })));

/**
 * RFC 9679: SHA-256 over the deterministic COSE_Key. A key has one thumbprint, in whatever form and
 * for whatever purpose it came.
 */
export const coseThumbprint = (key: AgentPublicKey): Uint8Array =>
  key.curve === 'X25519'
    ? sha256(
        encodeCbor(
          new Map<CborKey, CborValue>([
            [1, 1],
            [-1, 4],
            [-2, key.raw],
          ]),
        ),
      )
    : coseKeyThumbprint(verifyingKeyOf(key));

/** The key in the form that verifies signatures. Only P-256 serves both purposes. */
export const verifyingKeyOf = ({ curve, raw }: AgentPublicKey): PublicKey => {
  if (curve === 'X25519') throw new KeyError('an X25519 key signs nothing');
  return { algorithm: curve === 'P-256' ? 'ES256' : 'Ed25519', raw };
};

/**
 * Refuses the signing keys that `assertAcceptable` refuses. Refuses X25519 keys whose u-coordinate
 * is not below the field prime, as a second spelling of another key, or has small order, as
 * everyone would share the same secret with it.
 *
 * @throws KeyError
 */
export const assertSound = (key: AgentPublicKey): void => {
  if (key.curve !== 'X25519') return assertAcceptable(verifyingKeyOf(key));
  if (key.raw.length !== 32) throw new KeyError('an X25519 key is 32 bytes');
  if (!isBelowPrime(key.raw)) throw new KeyError('an X25519 coordinate that is not canonical');
  try {
    // RFC 7748 section 6.1: any clamped scalar, a multiple of the cofactor, takes a point of small
    // order to zero.
    x25519.scalarMult(ANY_SCALAR, key.raw);
  } catch (cause) {
    throw new KeyError('an X25519 point of small order', { cause });
  }
};

const ANY_SCALAR = new Uint8Array(32).fill(1);

/** Little-endian u < 2^255 − 19. */
const isBelowPrime = (u: Uint8Array): boolean =>
  u[31]! < 0x7f ||
  (u[31] === 0x7f && (u[0]! < 0xed || u.subarray(1, 31).some((byte) => byte !== 0xff)));
