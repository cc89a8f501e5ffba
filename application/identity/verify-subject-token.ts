import type { Caller } from '../../domain/identity/caller.ts';
import {
  MAX_ACT_DEPTH,
  proven,
  type OnBehalfOf,
  type Subject,
} from '../../domain/identity/on-behalf-of.ts';
import { claimAt } from '../../domain/identity/token-claims.ts';
import type { TrustedIssuer } from '../../domain/identity/trusted-issuer.ts';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import type { VerifyToken } from './verify-token.ts';
import { tokenRefused } from './token-refusal.ts';

/**
 * Verifies a token from a token exchange at an identity provider (RFC 8693). It proves for whom,
 * and through whom, the caller acts.
 */
export class VerifySubjectToken {
  constructor(private readonly tokens: Pick<VerifyToken, 'verify'>) {}

  /** @throws a refusal of token-refusal.ts. */
  async verify(text: string, caller: Caller): Promise<OnBehalfOf> {
    const { issuer, jws, subject } = await this.tokens.verify(text, 'agent');
    if (issuer.orgId !== null && issuer.orgId !== caller.orgId)
      throw tokenRefused(
        'unknown_issuer',
        'The issuer of the subject token is not trusted for the org of this credential.',
      );
    const acts = actorsOf(jws.claims['act']);
    const [outermost] = acts;
    if (!outermost)
      throw tokenRefused(
        'malformed_token',
        `The subject token needs an act claim that names who acts (RFC 8693 section 4.1), at most ${MAX_ACT_DEPTH} deep.`,
      );
    if (!isCaller(outermost, issuer, caller))
      throw tokenRefused(
        'agent_unknown',
        'The outermost act of the subject token is not the agent that calls.',
      );
    return proven(
      { iss: issuer.issuerUrl, sub: subject },
      acts.map((act) => subjectOf(act, issuer)),
    );
  }
}

/** Outermost first; empty where the claim is missing, malformed or too deep. */
const actorsOf = (claim: JsonValue | undefined): readonly JsonObject[] => {
  const found: JsonObject[] = [];
  for (let act = claim; act !== undefined; act = (act as JsonObject)['act']) {
    if (
      typeof act !== 'object' ||
      act === null ||
      Array.isArray(act) ||
      found.length === MAX_ACT_DEPTH
    )
      return [];
    const { sub, iss } = act as JsonObject;
    if (
      typeof sub !== 'string' ||
      sub === '' ||
      sub.length > 255 ||
      (iss !== undefined && (typeof iss !== 'string' || iss.length > 255))
    )
      return [];
    found.push(act as JsonObject);
  }
  return found;
};

/** An actor without an iss of its own belongs to the issuer of the token. */
const subjectOf = (act: JsonObject, issuer: TrustedIssuer): Subject => ({
  iss: typeof act['iss'] === 'string' ? act['iss'] : issuer.issuerUrl,
  sub: String(act['sub']),
});

/**
 * The actor is the caller by the issuer's mapped claim, by the agent's id, or by the identity on
 * the caller's certificate.
 */
const isCaller = (act: JsonObject, issuer: TrustedIssuer, { agentId, oidc }: Caller): boolean => {
  if (agentId === null) return false;
  const { iss, sub } = subjectOf(act, issuer);
  const ofIssuer = iss === issuer.issuerUrl;
  return (
    (ofIssuer &&
      (lowerCase(claimAt(act, issuer.claimMapping.agent_id)) === agentId || sub === agentId)) ||
    (oidc !== null && oidc.iss === iss && oidc.sub === sub)
  );
};

/** Ids are read in either case. */
const lowerCase = (claim: unknown): unknown =>
  typeof claim === 'string' ? claim.toLowerCase() : claim;
