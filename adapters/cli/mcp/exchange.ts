import { Agent as PlainAgent, request as plain, type IncomingMessage } from 'node:http';
import { Agent as SafeAgent, request as safe } from 'node:https';

/** What is sent. A redirect is not followed, because the key is not for another address. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface Came {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** More than the service answers a call of a tool with. */
const MAX_ANSWER = 64 * 1024 * 1024;
/** A connection that nobody used for so long may be gone, without either end being told: it is made anew. */
const IDLE_MS = 20_000;
const KEPT = { keepAlive: true, timeout: IDLE_MS } as const;
const AGENTS = { 'http:': new PlainAgent(KEPT), 'https:': new SafeAgent(KEPT) };

/**
 * One exchange over HTTP, on a connection that stays: it is a part of each call of a tool, and costs less than fetch.
 *
 * @throws Error where there is no answer, none in time, or none with an end.
 */
export const exchange = ({ method, url, headers, body, timeoutMs, signal }: Sent): Promise<Came> =>
  new Promise((resolve, reject) => {
    const bytes = body === undefined ? undefined : Buffer.from(body as Uint8Array);
    const isSafe = url.startsWith('https:');
    const sent = (isSafe ? safe : plain)(url, {
      method,
      agent: AGENTS[isSafe ? 'https:' : 'http:'],
      headers: { ...headers, ...(bytes ? { 'content-length': String(bytes.length) } : {}) },
    });
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      settle();
    };
    const fail = (cause: Error): void => {
      sent.destroy();
      end(() => reject(cause));
    };
    const stop = (): void => fail(signal?.reason as Error);
    const timer = setTimeout(
      () => fail(new Error(`no answer within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    sent.on('error', fail);
    if (signal?.aborted) return stop();
    signal?.addEventListener('abort', stop, { once: true });
    sent.once('response', (came) => {
      const parts: Buffer[] = [];
      let size = 0;
      came.on('data', (part: Buffer) => {
        size += part.length;
        if (size > MAX_ANSWER) fail(new Error(`it answered more than ${MAX_ANSWER} bytes`));
        else parts.push(part);
      });
      came.on('error', fail);
      came.once('aborted', () => fail(new Error('the answer was cut off')));
      came.once('end', () =>
        end(() =>
          resolve({
            status: came.statusCode ?? 0,
            headers: came.headers,
            text: Buffer.concat(parts).toString(),
          }),
        ),
      );
    });
    sent.end(bytes);
  });
