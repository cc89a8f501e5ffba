import { ADMIN_ONLY_SCOPES, isScope, SCOPES, type Scope } from '../../domain/identity/scopes.ts';
import { assertedScopes, claimAt } from '../../domain/identity/token-claims.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { VerifiedToken } from './verify-token.ts';

/**
 * Exactly what the identity provider asserted: what cannot be given is refused, never left out.
 *
 * @throws UNPROCESSABLE
 */
export const certScopesOf = ({ issuer, jws }: VerifiedToken): readonly Scope[] => {
  const place = issuer.claimMapping.scopes;
  const asserted = assertedScopes(claimAt(jws.claims, place));
  if (!asserted) throw scopesRefused(`The token asserts no scopes in ${place}.`);
  const wrong = asserted.filter((name) => !isScope(name) || ADMIN_ONLY_SCOPES.has(name));
  if (wrong.length > 0)
    throw scopesRefused(
      `The token asserts what a certificate of an agent cannot hold: ${wrong
        .slice(0, 10)
        .map((name) => JSON.stringify(name.slice(0, 64)))
        .join(', ')}.`,
    );
  return asserted.filter(isScope);
};

const HOLDABLE: readonly Scope[] = SCOPES.filter((scope) => !ADMIN_ONLY_SCOPES.has(scope));

const scopesRefused = (detail: string): NotaryError =>
  new NotaryError('UNPROCESSABLE', detail, {
    allowedValues: HOLDABLE,
    suggestion:
      'Let the identity provider assert scopes of allowedValues, and no others, in the claim that the issuer maps to scopes.',
  });
