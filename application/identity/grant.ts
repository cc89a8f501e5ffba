import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import {
  ADMIN_ONLY_SCOPES,
  DEFAULT_PROFILE,
  expandScopes,
  findProfile,
  isScope,
  ROLES,
  SCOPE_PROFILES,
  SCOPES,
  type Role,
  type Scope,
} from '../../domain/identity/scopes.ts';

export interface GrantRequest {
  readonly role: Role;
  readonly scopeProfile?: string;
  readonly scopes?: readonly string[];
}

export interface Grant {
  readonly scopes: readonly Scope[];
  readonly scopeProfile: string | null;
}

/**
 * What a new key may do, given as a named profile or as single scopes. A scope that its role cannot
 * hold is refused.
 *
 * @throws UNPROCESSABLE with allowedValues, VALIDATION_ERROR where both are given.
 */
export const grantOf = (request: GrantRequest): Grant => {
  if (request.scopes !== undefined && request.scopeProfile !== undefined) {
    throw new NotaryError('VALIDATION_ERROR', 'Give scopes or scopeProfile, not both.', {
      errors: [{ path: '/scopes', keyword: 'not', message: 'not together with scopeProfile' }],
    });
  }
  const grant =
    request.scopes === undefined
      ? profileGrant(request.role, request.scopeProfile ?? DEFAULT_PROFILE[request.role])
      : { scopes: knownScopes(request.scopes), scopeProfile: null };
  const tooMuch = grant.scopes.filter((scope) => !holdable(request.role).includes(scope));
  if (tooMuch.length > 0)
    throw new NotaryError(
      'UNPROCESSABLE',
      `A key of the role ${request.role} cannot hold ${tooMuch.join(', ')}.`,
      { allowedValues: [...holdable(request.role)] },
    );
  return grant;
};

/**
 * A minted key never exceeds its minter, in role or in scope.
 *
 * @throws FORBIDDEN, INSUFFICIENT_SCOPE
 */
export const assertWithinPower = (minter: Caller, role: Role, scopes: readonly Scope[]): void => {
  if (ROLES.indexOf(role) > ROLES.indexOf(minter.role))
    throw new NotaryError(
      'FORBIDDEN',
      `Only a platform key mints a key of the role ${role}; this one has the role ${minter.role}.`,
    );
  const missing = [...expandScopes(scopes)].filter((scope) => !minter.allowed.has(scope));
  if (missing.length > 0)
    throw new NotaryError(
      'INSUFFICIENT_SCOPE',
      `A key cannot grant what it does not hold itself: ${missing.join(', ')}.`,
      { missingScopes: missing },
    );
};

const profileGrant = (role: Role, name: string): Grant => {
  const profile = findProfile(name);
  if (!profile || profile.role !== role) {
    const names = Object.entries(SCOPE_PROFILES)
      .filter(([, candidate]) => candidate.role === role)
      .map(([candidate]) => candidate);
    throw new NotaryError(
      'UNPROCESSABLE',
      profile
        ? `The profile ${name} is for the role ${profile.role}, not ${role}.`
        : `There is no scope profile ${JSON.stringify(name)}.`,
      {
        allowedValues: names,
        errors: [
          {
            path: '/scopeProfile',
            keyword: 'enum',
            message: `is not a profile of the role ${role}`,
          },
        ],
      },
    );
  }
  return { scopes: profile.scopes, scopeProfile: name };
};

const knownScopes = (names: readonly string[]): readonly Scope[] => {
  const unknown = names.filter((name) => !isScope(name));
  if (unknown.length > 0)
    throw new NotaryError(
      'UNPROCESSABLE',
      `There is no scope ${unknown.map((name) => JSON.stringify(name)).join(', ')}.`,
      { allowedValues: [...SCOPES] },
    );
  return [...new Set(names.filter(isScope))];
};

const holdable = (role: Role): readonly Scope[] =>
  role === 'agent' ? SCOPES.filter((scope) => !ADMIN_ONLY_SCOPES.has(scope)) : SCOPES;
