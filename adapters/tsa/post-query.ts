import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { rootCertificates } from 'node:tls';
import { TimestampError } from '../../application/vault/timestamp-authority.port.ts';

export interface QueryPost {
  /** http or https: what comes back is signed. */
  readonly url: URL;
  /** PEM certificates that are trusted in addition to those of the runtime; null: none. */
  readonly ca: string | null;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

const REPLY = 'application/timestamp-reply';

/**
 * Asks an authority (RFC 3161 section 3.4). It is the operator's own choice, so any address will do; redirects are not
 * followed, and the proxy variables of the environment are ignored.
 *
 * @throws TimestampError on any answer but one whole reply; other errors where there is no answer.
 */
export const postQuery = async (query: Uint8Array, options: QueryPost): Promise<Uint8Array> => {
  const { signal, maxBytes } = options;
  // A connection can end without an event, so the signal is waited for as well.
  const aborted = new Promise<never>((_resolve, reject) => {
    const end = (): void => reject(signal.reason as Error);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
  return Promise.race([aborted, answerOf(query, options).then((body) => bodyOf(body, maxBytes))]);
};

const answerOf = (query: Uint8Array, { url, ca, signal }: QueryPost): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const common = {
      method: 'POST',
      signal,
      headers: {
        'content-type': 'application/timestamp-query',
        'content-length': query.length,
        accept: REPLY,
        'accept-encoding': 'identity',
        'user-agent': 'notary-service',
        connection: 'close',
      },
      maxHeaderSize: 16_384,
      insecureHTTPParser: false,
    };
    const outgoing =
      url.protocol === 'https:'
        ? requestHttps(url, {
            ...common,
            agent: new HttpsAgent({ keepAlive: false, maxCachedSessions: 0 }),
            // Explicit, because the environment can turn the check off for the whole process.
            rejectUnauthorized: true,
            minVersion: 'TLSv1.2',
            ...(ca === null ? {} : { ca: [...rootCertificates, ca] }),
          })
        : requestHttp(url, { ...common, agent: new HttpAgent({ keepAlive: false }) });
    outgoing.on('response', resolve);
    outgoing.on('error', reject);
    outgoing.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new TimestampError('the answer was 101 instead of 200'));
    });
    outgoing.end(query);
  });

const bodyOf = async (response: IncomingMessage, maxBytes: number): Promise<Uint8Array> => {
  try {
    const { statusCode, headers } = response;
    if (statusCode !== 200)
      throw new TimestampError(
        `the answer was ${statusCode} instead of 200; redirects are not followed`,
      );
    const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
    if (type !== REPLY)
      throw new TimestampError(`the answer is ${type ?? 'of no type'} instead of ${REPLY}`);
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of response as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > maxBytes) throw new TimestampError(`the answer is longer than ${maxBytes} bytes`);
      parts.push(part);
    }
    return Buffer.concat(parts, size);
  } finally {
    response.destroy();
  }
};
