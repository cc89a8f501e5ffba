import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import {
  EgressFailed,
  EgressRefused,
  type PostAnswer,
  type PostRequest,
} from '../../application/ports/egress-post.port.ts';
import { codeIn, codeOf } from './error-code.ts';
import { limitInterim } from './interim-answers.ts';
import { keptAnswer } from './kept-answer.ts';
import { retryAfterSeconds } from './retry-after.ts';

export interface Limits {
  readonly total: AbortSignal;
  readonly connectMs: number;
}

/** No connection came to be, so nothing was sent: another address of the name may be tried. */
export class NotConnected extends EgressFailed {}

/** A kept connection that the other end had closed. */
export class StaleConnection extends EgressFailed {}

/** One request over one connection, and its answer. */
export const exchange = (
  options: RequestOptions,
  host: string,
  { body, keepBytes, readBytes }: PostRequest,
  { total, connectMs }: Limits,
  isPrivate: boolean,
): Promise<PostAnswer> =>
  new Promise((resolve, reject) => {
    const outgoing = opened(options);
    let isConnected = false;
    let isAnswered = false;
    const connecting = setTimeout(
      () => outgoing.destroy(new NotConnected(`${host} gave no connection in time`)),
      connectMs,
    );
    const late = (): void => void outgoing.destroy(total.reason as Error);
    const settled = (): void => {
      clearTimeout(connecting);
      total.removeEventListener('abort', late);
    };
    const fail = (cause: Error): void => {
      settled();
      outgoing.destroy();
      if (total.aborted) reject(total.reason as Error);
      else if (cause instanceof EgressFailed) reject(cause);
      else if (outgoing.reusedSocket && !isAnswered && CLOSED.has(codeIn(cause)))
        reject(new StaleConnection(`${host} closed the connection`, { cause }));
      else if (!isConnected)
        reject(new NotConnected(`${host} cannot be connected to${codeOf(cause)}`, { cause }));
      else reject(new EgressFailed(`${host} gave no whole answer${codeOf(cause)}`, { cause }));
    };
    const connected = (): void => {
      isConnected = true;
      clearTimeout(connecting);
    };
    if (total.aborted) late();
    total.addEventListener('abort', late, { once: true });
    outgoing.on('error', fail);
    outgoing.on('socket', (socket) => {
      if (outgoing.reusedSocket) connected();
      else socket.once('secureConnect', connected);
    });
    limitInterim(outgoing, () =>
      fail(new EgressFailed(`${host} gave one interim answer after the other`)),
    );
    // Without this listener Node closes the connection silently, and the promise would never settle.
    outgoing.on('upgrade', (_response, socket) => {
      socket.destroy();
      fail(new EgressFailed(`${host} answered 101, which was not asked for`));
    });
    outgoing.on('response', (response) => {
      isAnswered = true;
      answerOf(response, isPrivate ? 0 : keepBytes, readBytes).then((answer) => {
        settled();
        resolve(answer);
      }, fail);
    });
    outgoing.end(body);
  });

const opened = (options: RequestOptions): ClientRequest => {
  try {
    return httpsRequest(options);
  } catch (cause) {
    // A header, or a path, that HTTP cannot say.
    throw new EgressRefused('the request cannot be sent as HTTP', { cause });
  }
};

const answerOf = async (
  response: IncomingMessage,
  keepBytes: number,
  readBytes?: number,
): Promise<PostAnswer> => ({
  body: await keptAnswer(response, keepBytes, readBytes),
  status: response.statusCode ?? 0,
  retryAfterSeconds: retryAfterSeconds(response.headers['retry-after'], Date.now()),
});

const CLOSED = new Set(['ECONNRESET', 'EPIPE']);
