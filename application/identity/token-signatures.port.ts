import type { JsonObject } from '../../domain/kernel/canonical-json.ts';

/** The algorithms under which a token of an identity provider is believed; never `none`, never a shared secret. */
export const TOKEN_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'] as const;
export type TokenAlgorithm = (typeof TOKEN_ALGORITHMS)[number];

/** Checks the signature of a compact JWS, and nothing else of it. */
export interface TokenSignatures {
  /**
   * False for any reason for which the key does not vouch for the token: a wrong signature, a key of another kind, a key
   * that no library takes. Never throws, never blocks: hostile keys and tokens come here.
   *
   * @param jwk a public key, as a key set gave it.
   */
  verify(compact: string, algorithm: TokenAlgorithm, jwk: JsonObject): Promise<boolean>;
}
