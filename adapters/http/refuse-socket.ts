import type { Socket } from 'node:net';
import type { NotaryError } from '../../domain/kernel/errors.ts';
import { problemOf, retryAfterOf } from './problem.ts';
import { requestIdOf } from './request-id.ts';

/** Answers a connection that has no request to answer with a problem document, and frees it. */
export const refuseSocket = (
  socket: Socket,
  error: NotaryError,
  { requestId = requestIdOf(undefined), headers = [] as readonly string[] } = {},
): void => {
  const problem = problemOf(error, { requestId, instance: '' });
  const body = JSON.stringify(problem);
  const retryAfter = retryAfterOf(error);
  endGently(
    socket,
    [
      `HTTP/1.1 ${problem.status} ${REASONS.get(problem.status) ?? 'Refused'}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`]),
      `X-Request-ID: ${requestId}`,
      ...headers,
      `Date: ${new Date().toUTCString()}`,
      'X-Content-Type-Options: nosniff',
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
};

/**
 * Ends the connection after `last`: when the peer has closed its side, or a second later, whatever the peer does. What
 * still arrives is thrown away, because a socket that is closed with something unread takes the answer back.
 */
export const endGently = (socket: Socket, last = ''): void => {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end(last);
};

/** To close at once would often cost the peer the answer. */
const LINGER_MS = 1_000;

const REASONS: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [405, 'Method Not Allowed'],
  [408, 'Request Timeout'],
  [413, 'Content Too Large'],
  [414, 'URI Too Long'],
  [429, 'Too Many Requests'],
  [431, 'Request Header Fields Too Large'],
  [503, 'Service Unavailable'],
]);
