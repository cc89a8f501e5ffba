import { parseCompactJws, type CompactJws } from '../../domain/identity/compact-jws.ts';
import type { TrustedIssuerReads } from '../../domain/identity/certificate-store.port.ts';
import { audiencesOf, timesOf } from '../../domain/identity/token-claims.ts';
import {
  letsIn,
  type AppliesTo,
  type TrustedIssuer,
} from '../../domain/identity/trusted-issuer.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { JwksUnavailableError, type JwksSource } from './jwks-source.port.ts';
import { tokenRefused } from './token-refusal.ts';
import {
  TOKEN_ALGORITHMS,
  type TokenAlgorithm,
  type TokenSignatures,
} from './token-signatures.port.ts';

/**
 * A key set may hold many keys that fit, and one token must not cost a verification with each of
 * them.
 */
const MAX_TRIED_KEYS = 5;

/** A token of a trusted identity provider that is valid now and whose subject is let in. */
export interface VerifiedToken {
  readonly issuer: TrustedIssuer;
  readonly jws: CompactJws;
  readonly subject: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/**
 * Verifies a token of an identity provider: its issuer, its audience, its signature, its times and
 * its subject.
 */
export class VerifyToken {
  constructor(
    private readonly issuers: Pick<TrustedIssuerReads, 'ofUrl'>,
    private readonly jwks: JwksSource,
    private readonly signatures: TokenSignatures,
    private readonly clock: Clock,
  ) {}

  /** @throws a refusal of token-refusal.ts. */
  async verify(text: string, appliesTo: AppliesTo): Promise<VerifiedToken> {
    const jws = parseCompactJws(text);
    if (!jws)
      throw tokenRefused(
        'malformed_token',
        'The token is not a compact JWS of unambiguous JSON, or it is longer than 16384 characters.',
      );
    const { iss, sub } = jws.claims;
    if (
      typeof iss !== 'string' ||
      typeof sub !== 'string' ||
      sub === '' ||
      sub.length > 255 ||
      iss.length > 255
    )
      throw tokenRefused(
        'malformed_token',
        'The token needs the claims iss and sub, of 1 to 255 characters.',
      );
    const asked = await this.issuerOf(iss, jws, appliesTo);
    await this.assertSigned(jws, asked);
    // The issuer is read again, because it may have changed during the seconds that a fetch of its
    // keys can take.
    const issuer = await this.issuerOf(iss, jws, appliesTo);
    if (issuer.id !== asked.id || issuer.jwksUri !== asked.jwksUri)
      throw tokenRefused(
        'signature_invalid',
        'The key set of the issuer was changed while the token was being judged.',
      );
    const times = timesOf(jws.claims, this.clock.now());
    if ('malformed' in times)
      throw tokenRefused('malformed_token', `The token cannot be taken: ${times.malformed}.`);
    if ('refused' in times)
      throw tokenRefused('token_expired', `The token is not good now: ${times.refused}.`);
    if (!letsIn(issuer, sub))
      throw tokenRefused(
        'subject_not_allowlisted',
        'The subject of the token is not in the subjectAllowlist of its issuer.',
      );
    return { issuer, jws, subject: sub, expiresAt: times.expiresAt };
  }

  private async issuerOf(
    iss: string,
    { claims }: CompactJws,
    appliesTo: AppliesTo,
  ): Promise<TrustedIssuer> {
    const rows = await this.issuers.ofUrl(iss);
    if (!rows.some((row) => row.appliesTo === appliesTo))
      throw tokenRefused(
        'unknown_issuer',
        `No issuer with the iss of the token is trusted for ${appliesTo === 'agent' ? 'certificates of agents' : 'administration'}.`,
      );
    const audiences = audiencesOf(claims);
    const named = rows.filter((row) => audiences.includes(row.expectedAudience));
    const issuer = named.find((row) => row.appliesTo === appliesTo);
    if (!issuer)
      throw tokenRefused(
        'audience_mismatch',
        'The aud of the token does not name the audience that its issuer is registered with.',
      );
    if (named.length > 1)
      throw tokenRefused(
        'audience_mismatch',
        'The aud of the token names several audiences of the service, so it is not clear what it is for.',
      );
    if (!issuer.enabled)
      throw tokenRefused('issuer_disabled', 'The issuer of the token is disabled.');
    return issuer;
  }

  private async assertSigned(jws: CompactJws, issuer: TrustedIssuer): Promise<void> {
    const algorithm = algorithmOf(jws.alg);
    if (!algorithm)
      throw tokenRefused(
        'signature_invalid',
        'The token is signed with an algorithm that is not accepted.',
        { allowedValues: TOKEN_ALGORITHMS },
      );
    const keys = await this.keysFor(issuer, algorithm, jws.kid);
    for (const key of keys.slice(0, MAX_TRIED_KEYS))
      if (await this.signatures.verify(jws.text, algorithm, key)) return;
    throw tokenRefused(
      'signature_invalid',
      'No key of the issuer verifies the signature of the token.',
    );
  }

  private async keysFor(
    issuer: TrustedIssuer,
    algorithm: TokenAlgorithm,
    kid: string | null,
  ): Promise<readonly JsonObject[]> {
    try {
      return await this.jwks.keysFor(issuer, algorithm, kid);
    } catch (cause) {
      if (!(cause instanceof JwksUnavailableError)) throw cause;
      throw tokenRefused(
        'jwks_fetch_failed',
        'The key set of the issuer cannot be fetched at the moment, so nothing was decided about the token.',
        { retryAfter: 5 },
        { cause },
      );
    }
  }
}

export const algorithmOf = (alg: string): TokenAlgorithm | undefined =>
  TOKEN_ALGORITHMS.find((name) => name === alg);
