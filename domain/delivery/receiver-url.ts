import { NotaryError } from '../kernel/errors.ts';
import { exactUrl } from '../kernel/exact-url.ts';

/**
 * What can be said of the URL of a receiver before its name is resolved; the egress guard looks at the addresses whenever a
 * request leaves.
 *
 * @throws UNPROCESSABLE
 */
export const assertReceiverUrl = (text: string): void => {
  const url = exactUrl(text);
  const isFit =
    url?.protocol === 'https:' &&
    url.username === '' &&
    url.password === '' &&
    !text.includes('#') &&
    (url.port === '' || Number(url.port) >= 1024);
  if (isFit) return;
  throw new NotaryError(
    'UNPROCESSABLE',
    'url must be an https URL in the characters of RFC 3986, with its host as it is connected to, without credentials or fragment, on port 443 or one from 1024 to 65535.',
    {
      errors: [{ path: '/url', keyword: 'format', message: 'is not such a URL' }],
      suggestion:
        'Give the https URL at which the receiver listens; deliveries are signed, so it needs no credentials. Write other characters as percent escapes, and a host beyond ASCII in its xn-- form.',
    },
  );
};
