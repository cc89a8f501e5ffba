import type { Caller } from '../../domain/identity/caller.ts';
import { ADMIN_ONLY_SCOPES, type Role, type Scope } from '../../domain/identity/scopes.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';

/** A list of scopes means any one of them; null: any valid credential. */
export type Access = 'public' | CredentialAccess;

export interface CredentialAccess {
  readonly scope: Scope | readonly Scope[] | null;
  readonly roles?: readonly Role[];
}

/** @throws NotaryError FORBIDDEN naming the role, or INSUFFICIENT_SCOPE naming the scopes. */
export const assertAccess = (access: Access, caller: Caller | null): void => {
  if (access === 'public') return;
  if (!caller) throw new TypeError('an operation that takes a credential was reached without one');
  const { roles } = access;
  if (roles && !roles.includes(caller.role)) {
    throw new NotaryError(
      'FORBIDDEN',
      `This needs a key with the role ${roles.join(' or ')}; this one has the role ${caller.role}.`,
      { allowedActors: roles },
    );
  }
  if (!holds(access, caller)) throw missingScope(scopesOf(access), caller.role);
};

/** Whether the caller would get past the check; for steps that are shown only to whom they are open. */
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

/** Operations that govern and take no scope: each is named, so that another one without a scope is none of them. */
const GOVERNING: ReadonlySet<string> = new Set([
  'createOrg',
  'listOrgs',
  'updateOrg',
  'getWhoami',
  'rotateKey',
]);

/** Whether an operation is about credentials, orgs and administration alone, and touches nothing that agents do. */
export const isGovernance = (operationId: string, access: Access): boolean => {
  const scopes = scopesOf(access);
  return scopes.length === 0
    ? GOVERNING.has(operationId)
    : scopes.every((scope) => scope.startsWith('admin:'));
};

export const missingScope = (scopes: readonly Scope[], role: Role): NotaryError =>
  new NotaryError('INSUFFICIENT_SCOPE', `The key lacks the scope ${scopes.join(' or ')}.`, {
    missingScopes: scopes,
    suggestion:
      role === 'agent' && scopes.every((scope) => ADMIN_ONLY_SCOPES.has(scope))
        ? 'A key of the role agent cannot hold it: use an admin key of the org, or a platform key.'
        : 'Use a key that holds it. One is minted with POST /v1/admin/api-keys, by its scopes or a scopeProfile; GET /v1/scope-profiles lists what each profile holds.',
  });

const holds = (access: CredentialAccess, caller: Caller): boolean => {
  const { scope } = access;
  if (scope === null) return true;
  return typeof scope === 'string'
    ? caller.allowed.has(scope)
    : scope.some((one) => caller.allowed.has(one));
};
