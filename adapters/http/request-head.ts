import type { IncomingMessage } from 'node:http';
import { NotaryError } from '../../domain/kernel/errors.ts';

/** Longest URL: RFC 9110 section 4.1 asks for 8000 octets at least. */
const MAX_URL = 8_192;
/** Most header lines of a request. The server collects them all, so none is dropped before it is counted. */
const MAX_HEADERS = 200;

/** Why a request is refused by its head alone, whatever it asks for; null: it is not. */
export const headFault = (request: IncomingMessage): NotaryError | null => {
  const { headers, url = '' } = request;
  if (url.length > MAX_URL)
    return new NotaryError('URI_TOO_LONG', `The URL is longer than ${MAX_URL} characters.`);
  if (request.rawHeaders.length > 2 * MAX_HEADERS)
    return new NotaryError(
      'HEADER_TOO_LARGE',
      `The request has ${request.rawHeaders.length / 2} header lines, and may have ${MAX_HEADERS}.`,
      { suggestion: `Send at most ${MAX_HEADERS} header lines, those that proxies add included.` },
    );
  const repeated = repeatedHeader(request.rawHeaders);
  if (repeated === 'host') return badHost('The request has more than one Host header.');
  if (repeated !== null)
    return new NotaryError(
      'VALIDATION_ERROR',
      `The request has more than one ${repeated} header.`,
      {
        suggestion: `Send one ${repeated} header. A proxy on the way may have added the other one.`,
      },
    );
  // RFC 9112 section 3.2: exactly one, and a valid one; HTTP/1.0 may leave it out.
  if (headers.host === undefined) {
    if (request.httpVersion === '1.0') return null;
    return badHost('The request has no Host header, which HTTP/1.1 requires.');
  }
  if (!HOST.test(headers.host)) return badHost('The Host header names no host.');
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

/**
 * The first name of those that must not repeat (RFC 9110 section 5.3) that stands in two lines; null if none does. Node
 * keeps the first of several lines and shows the others here alone, and a proxy may keep the last.
 *
 * @param rawHeaders names and values by turns, as IncomingMessage has them.
 */
const repeatedHeader = (rawHeaders: readonly string[]): string | null => {
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const index = SINGULAR.indexOf(singularOf(rawHeaders[at]!));
    if (index === -1) continue;
    if (seen & (1 << index)) return SINGULAR[index]!;
    seen |= 1 << index;
  }
  return null;
};

const SINGULAR: readonly string[] = ['host', 'authorization', 'content-type', 'idempotency-key'];
const SINGULAR_LENGTHS: ReadonlySet<number> = new Set(SINGULAR.map(({ length }) => length));

/** In lower case if its length is that of a singular name; most names are told apart by their length. */
const singularOf = (name: string): string =>
  SINGULAR_LENGTHS.has(name.length) ? name.toLowerCase() : '';
