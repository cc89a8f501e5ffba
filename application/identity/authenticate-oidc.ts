import type { Caller } from '../../domain/identity/caller.ts';
import {
  expandScopes,
  isScope,
  SCOPE_PROFILES,
  type Role,
  type Scope,
} from '../../domain/identity/scopes.ts';
import {
  assertedScopes,
  claimAt,
  isSenderConstrained,
} from '../../domain/identity/token-claims.ts';
import type { JsonValue } from '../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { VerifiedToken, VerifyToken } from './verify-token.ts';
import { tokenRefused } from './token-refusal.ts';

/**
 * An administrator who comes with a token of an identity provider, and without a key of the
 * service.
 */
export class AuthenticateOidc {
  constructor(private readonly verifyToken: VerifyToken) {}

  /** @throws UNAUTHORIZED, SERVICE_UNAVAILABLE with reason jwks_fetch_failed. */
  async authenticate(text: string): Promise<Caller> {
    const token = await this.verify(text);
    const { issuer, subject } = token;
    const role = roleOf(token);
    const scopes = scopesOf(token, role);
    return {
      role,
      authType: 'oidc',
      apiKeyId: null,
      agentId: null,
      orgId: issuer.orgId,
      name: subject,
      scopes,
      allowed: expandScopes(scopes),
      allowedIps: null,
      cert: null,
      oidc: { iss: issuer.issuerUrl, sub: subject },
    };
  }

  /** A token that is sent as a credential is refused with 401, even where it is malformed. */
  private async verify(text: string): Promise<VerifiedToken> {
    try {
      const token = await this.verifyToken.verify(text, 'admin');
      if (isSenderConstrained(token.jws.claims))
        throw tokenRefused(
          'proof_invalid',
          'The token is bound to a key of its holder (cnf), and as a bearer it brings no proof of it.',
          { suggestion: 'Obtain a token that is not bound to a key.' },
        );
      return token;
    } catch (error) {
      if (error instanceof NotaryError && error.entry.kind === 'malformed')
        throw new NotaryError('UNAUTHORIZED', error.message, error.members, { cause: error });
      throw error;
    }
  }
}

const roleOf = ({ issuer, jws }: VerifiedToken): Role => {
  const role = ROLES.get(claimAt(jws.claims, issuer.claimMapping.role) ?? null);
  if (role === undefined)
    throw tokenRefused(
      'role_unknown',
      'The role claim of the token does not say platform, admin or org.',
    );
  // An org's own identity provider never gives more than its org.
  if ((role === 'platform') !== (issuer.orgId === null))
    throw tokenRefused(
      'role_unknown',
      `An issuer ${issuer.orgId === null ? 'without an org' : 'of an org'} does not give the role ${role}.`,
    );
  return role;
};

const ROLES: ReadonlyMap<JsonValue, Role> = new Map<JsonValue, Role>([
  ['platform', 'platform'],
  ['admin', 'admin'],
  ['org', 'admin'],
]);

/** The standard profile of the role, or the part of it that the token asserts. */
const scopesOf = ({ issuer, jws }: VerifiedToken, role: Role): readonly Scope[] => {
  const standard = SCOPE_PROFILES[role === 'platform' ? 'platform-full' : 'admin-standard'].scopes;
  const claim = claimAt(jws.claims, issuer.claimMapping.scopes);
  if (claim === undefined) return standard;
  const allowed = expandScopes(standard);
  return (assertedScopes(claim) ?? []).filter(isScope).filter((scope) => allowed.has(scope));
};
