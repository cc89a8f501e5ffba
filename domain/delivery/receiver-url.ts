import { NotaryError } from '../kernel/errors.ts';
import { OUTGOING_URL, outgoingUrl } from '../kernel/outgoing-url.ts';

/**
 * What can be said of the URL of a receiver before its name is resolved; the egress guard looks at the addresses whenever a
 * request leaves.
 *
 * @throws UNPROCESSABLE
 */
export const assertReceiverUrl = (text: string): void => {
  if (outgoingUrl(text)) return;
  throw new NotaryError('UNPROCESSABLE', `url must be ${OUTGOING_URL}.`, {
    errors: [{ path: '/url', keyword: 'format', message: 'is not such a URL' }],
    suggestion:
      'Give the https URL at which the receiver listens; deliveries are signed, so it needs no credentials. Write other characters as percent escapes, and a host beyond ASCII in its xn-- form.',
  });
};
