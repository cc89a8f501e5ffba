import type { TrustedIssuer } from '../../domain/identity/trusted-issuer.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { TokenAlgorithm } from './token-signatures.port.ts';

/**
 * The key set of an issuer is at `jwksUri`, or, where that is null, where OpenID Connect Discovery
 * says.
 */
export type KeySetLocation = Pick<TrustedIssuer, 'issuerUrl' | 'jwksUri'>;

/** The public keys of identity providers. */
export interface JwksSource {
  /**
   * The keys that may verify a token, in the order of the key set: those that are usable and fit
   * the algorithm (token-key.ts), and with a `kid` only those that have it. Empty where there is
   * none.
   *
   * A kid that is not known may be that of a new key, or an invention: the key set is fetched again
   * for it, but only now and then. So it is not promised that a new key is found at once, nor that
   * a key which the issuer removed is forgotten at once. It may take minutes.
   *
   * @throws JwksUnavailableError where no key set is known and none can be fetched; never for a
   *   missing key.
   */
  keysFor(
    location: KeySetLocation,
    algorithm: TokenAlgorithm,
    kid: string | null,
  ): Promise<readonly JsonObject[]>;
}

/**
 * The key set cannot be fetched, or what was fetched is none. Another attempt may succeed. The
 * cause is for the operator.
 */
export class JwksUnavailableError extends Error {
  override readonly name = 'JwksUnavailableError';
  constructor(issuerUrl: string, cause: unknown) {
    super(`the key set of ${issuerUrl} cannot be fetched`, { cause });
  }
}
