import { decodeBase64UrlStrict } from '../../domain/kernel/base64.ts';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import { assertAcceptable } from '../../domain/vault/cose-key.ts';
import type { TokenAlgorithm } from './token-signatures.port.ts';

/**
 * Whether a JWK may verify anything at all. A secret or a private key is not a public key, and an
 * RSA key beyond 8192 bits only costs time.
 */
export const isUsableKey = (key: JsonObject): boolean => {
  if (Object.hasOwn(key, 'd') || Object.hasOwn(key, 'k')) return false;
  if (key['kty'] === 'RSA')
    return (
      typeof key['n'] === 'string' &&
      key['n'].length <= 1366 &&
      typeof key['e'] === 'string' &&
      key['e'].length <= 6
    );
  if (key['kty'] === 'OKP') return key['crv'] === 'Ed25519' && isSoundEd25519(key['x']);
  return key['kty'] === 'EC';
};

/**
 * Whether a JWK is meant for the algorithm, by its type, its curve, and its `alg` and `use` where
 * it has them.
 */
export const fitsAlgorithm = (key: JsonObject, algorithm: TokenAlgorithm): boolean => {
  const { kty, crv } = KEY_TYPES[algorithm];
  return (
    key['kty'] === kty &&
    (crv === undefined || key['crv'] === crv) &&
    (key['alg'] === undefined || key['alg'] === algorithm) &&
    (key['use'] === undefined || key['use'] === 'sig')
  );
};

const KEY_TYPES: {
  readonly [algorithm in TokenAlgorithm]: { readonly kty: string; readonly crv?: string };
} = {
  RS256: { kty: 'RSA' },
  PS256: { kty: 'RSA' },
  ES256: { kty: 'EC', crv: 'P-256' },
  ES384: { kty: 'EC', crv: 'P-384' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
};

const isSoundEd25519 = (x: JsonValue | undefined): boolean => {
  const raw = typeof x === 'string' && x.length === 43 ? decodeBase64UrlStrict(x) : null;
  if (!raw) return false;
  try {
    assertAcceptable({ algorithm: 'Ed25519', raw });
    return true;
  } catch {
    return false;
  }
};
