import { assertPeerBaseUrl } from '../../domain/federation/peer-claim.ts';
import type { AddressRules } from '../egress/address-rules.port.ts';
import { assertPublicHost } from '../egress/assert-public-host.ts';

/**
 * The origin of a hub, as far as it can be judged before its name is looked up.
 *
 * @throws UNPROCESSABLE for another form, and for a private address that the operator does not allow.
 */
export const assertPeerHost = (baseUrl: string, rules: AddressRules): string => {
  assertPublicHost(assertPeerBaseUrl(baseUrl), 'baseUrl', rules, 'EGRESS_ALLOW_CIDRS_PEER');
  return baseUrl;
};
