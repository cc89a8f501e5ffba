import { assertReceiverUrl } from '../../domain/delivery/receiver-url.ts';
import type { AddressRules } from '../egress/address-rules.port.ts';
import { assertPublicHost } from '../egress/assert-public-host.ts';

/**
 * The URL of a receiver, as far as it can be judged before its name is looked up.
 *
 * @throws UNPROCESSABLE for another form, and for a private address that the operator does not allow.
 */
export const assertReceiver = (url: string, rules: AddressRules): void => {
  assertReceiverUrl(url);
  assertPublicHost(url, 'url', rules, 'EGRESS_ALLOW_CIDRS_WEBHOOK');
};
