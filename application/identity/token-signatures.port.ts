import type { JsonObject } from '../../domain/kernel/canonical-json.ts';

/**
 * The accepted signature algorithms of tokens. `none` is not among them, and none of them uses a
 * shared secret.
 */
export const TOKEN_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'] as const;
export type TokenAlgorithm = (typeof TOKEN_ALGORITHMS)[number];

/** Checks the signature of a compact JWS, and nothing else of it. */
export interface TokenSignatures {
  /**
   * Whether the key verifies the signature. False for a wrong signature, for a key of another type,
   * and for a key that the library refuses. Hostile keys and tokens come here, so this never throws
   * and never blocks.
   *
   * @param jwk a public key as it stood in a key set.
   */
  verify(compact: string, algorithm: TokenAlgorithm, jwk: JsonObject): Promise<boolean>;
}
