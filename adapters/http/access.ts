import type { Caller } from '../../domain/identity/caller.ts';
import type { Scope } from '../../domain/identity/scopes.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Access } from './route.ts';

/** @throws NotaryError FORBIDDEN naming the role, or INSUFFICIENT_SCOPE naming the scopes. */
export const assertAccess = (access: Access, caller: Caller): void => {
  if (access === 'public') return;
  const { roles } = access;
  if (roles && !roles.includes(caller.role)) {
    throw new NotaryError(
      'FORBIDDEN',
      `This needs a key with the role ${roles.join(' or ')}; this one has the role ${caller.role}.`,
      { allowedActors: roles },
    );
  }
  if (!holds(access, caller)) throw missingScope(scopesOf(access));
};

/** Whether the caller would get past the check; for links that are shown only to whom they work for. */
export const mayCall = (access: Access, caller: Caller | null): boolean => {
  if (access === 'public') return true;
  return (
    caller !== null &&
    (!access.roles || access.roles.includes(caller.role)) &&
    holds(access, caller)
  );
};

export const scopesOf = (access: Access): readonly Scope[] => {
  if (access === 'public' || access.scope === null) return [];
  return typeof access.scope === 'string' ? [access.scope] : access.scope;
};

export const missingScope = (scopes: readonly Scope[]): NotaryError =>
  new NotaryError('INSUFFICIENT_SCOPE', `The key lacks the scope ${scopes.join(' or ')}.`, {
    missingScopes: scopes,
  });

const holds = (access: Exclude<Access, 'public'>, caller: Caller): boolean => {
  const { scope } = access;
  if (scope === null) return true;
  return typeof scope === 'string'
    ? caller.allowed.has(scope)
    : scope.some((one) => caller.allowed.has(one));
};
