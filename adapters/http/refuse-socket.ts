import type { Socket } from 'node:net';
import type { NotaryError } from '../../domain/kernel/errors.ts';
import { problemOf, retryAfterOf } from './problem.ts';
import { requestIdOf } from './request-id.ts';

/**
 * Answers a connection that has no request to answer with a problem document, and frees it: after
 * the peer has closed its side, or a second later, whatever the peer does.
 */
export const refuseSocket = (socket: Socket, error: NotaryError): void => {
  const requestId = requestIdOf(undefined);
  const problem = problemOf(error, { requestId, instance: '' });
  const body = JSON.stringify(problem);
  const retryAfter = retryAfterOf(error);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${REASONS.get(problem.status) ?? 'Refused'}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`]),
      `X-Request-ID: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
};

/** To close at once would often cost the peer the answer. */
const LINGER_MS = 1_000;

const REASONS: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [413, 'Content Too Large'],
  [429, 'Too Many Requests'],
  [503, 'Service Unavailable'],
]);
