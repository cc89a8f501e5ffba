import type { TrustedIssuer } from '../../domain/identity/trusted-issuer.ts';
import type { AddressRules } from '../egress/address-rules.port.ts';
import { assertPublicHost } from '../egress/assert-public-host.ts';

/**
 * Checks the URL from which the keys of an issuer are fetched, as far as it can be judged before its name is looked up.
 *
 * @throws UNPROCESSABLE for a private address that the operator does not allow.
 */
export const assertProviderHost = (
  { issuerUrl, jwksUri }: Pick<TrustedIssuer, 'issuerUrl' | 'jwksUri'>,
  rules: AddressRules,
): void => {
  const member = jwksUri === null ? 'issuerUrl' : 'jwksUri';
  assertPublicHost(jwksUri ?? issuerUrl, member, rules, 'EGRESS_ALLOW_CIDRS_JWKS');
};
