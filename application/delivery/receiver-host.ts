import { assertReceiverUrl } from '../../domain/delivery/receiver-url.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { AddressRules } from '../egress/address-rules.port.ts';

/**
 * The URL of a receiver, as far as it can be judged before its name is looked up.
 *
 * @throws UNPROCESSABLE for another form, and for a private address that the operator does not allow.
 */
export const assertReceiver = (url: string, rules: AddressRules): void => {
  assertReceiverUrl(url);
  if (!rules.isForbidden(new URL(url).hostname)) return;
  throw new NotaryError('UNPROCESSABLE', 'url leads to an address that is not public.', {
    errors: [{ path: '/url', keyword: 'format', message: 'must have a public address' }],
    suggestion:
      'Give a public address or a name. The operator allows private ranges with EGRESS_ALLOW_CIDRS_WEBHOOK.',
  });
};
