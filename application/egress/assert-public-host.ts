import { NotaryError } from '../../domain/kernel/errors.ts';
import type { AddressRules } from './address-rules.port.ts';

/**
 * Checks a URL as far as it can be judged before its name is looked up.
 *
 * @param setting that allows private ranges.
 * @throws UNPROCESSABLE if its host is written as a private address, or as localhost, that the operator does not allow.
 */
export const assertPublicHost = (
  url: string,
  member: string,
  rules: AddressRules,
  setting: string,
): void => {
  if (!rules.isForbidden(new URL(url).hostname)) return;
  throw new NotaryError('UNPROCESSABLE', `${member} leads to an address that is not public.`, {
    errors: [{ path: `/${member}`, keyword: 'format', message: 'must have a public address' }],
    suggestion: `Give a public address or a name. The operator allows private ranges with ${setting}.`,
  });
};
