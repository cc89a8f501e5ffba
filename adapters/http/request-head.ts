import type { IncomingMessage } from 'node:http';
import { NotaryError } from '../../domain/kernel/errors.ts';

/** Longest URL: RFC 9110 section 4.1 asks for 8000 octets at least. */
const MAX_URL = 8_192;

/** Why a request is refused by its head alone, whatever it asks for; null: it is not. */
export const headFault = (request: IncomingMessage): NotaryError | null => {
  const { headers, url = '' } = request;
  if (url.length > MAX_URL)
    return new NotaryError('URI_TOO_LONG', `The URL is longer than ${MAX_URL} characters.`);
  // RFC 9112 section 3.2: exactly one, and a valid one; HTTP/1.0 may leave it out.
  if (headers.host === undefined) {
    if (request.httpVersion === '1.0') return null;
    return badHost('The request has no Host header, which HTTP/1.1 requires.');
  }
  if (!HOST.test(headers.host)) return badHost('The Host header names no host.');
  if (countHosts(request.rawHeaders) > 1)
    return badHost('The request has more than one Host header.');
  const { expect } = headers;
  return expect === undefined || expect.toLowerCase() === '100-continue'
    ? null
    : new NotaryError(
        'EXPECTATION_FAILED',
        `The expectation ${JSON.stringify(expect.slice(0, 40))} cannot be met; only 100-continue can.`,
        { allowedValues: ['100-continue'] },
      );
};

/** RFC 3986 section 3.2: a registered name or an address, and perhaps a port. */
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=%-]*|\[[A-Za-z0-9._~!$&'()*+,;=:-]+\])(?::[0-9]*)?$/;

const badHost = (detail: string): NotaryError =>
  new NotaryError('VALIDATION_ERROR', detail, {
    errors: [{ path: '', keyword: 'host', message: 'must be sent exactly once' }],
    suggestion: 'Send one Host header with the name under which the service is reached.',
  });

/** Node keeps the first of several lines and shows the others here alone. */
const countHosts = (rawHeaders: readonly string[]): number => {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
};
