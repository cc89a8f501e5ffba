import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type AgentOptions } from 'node:https';
import { rootCertificates } from 'node:tls';

/** Signatures that may be asked for at once over connections that are kept. */
export const MAX_SOCKETS = 16;

/** TLS is always verified, whatever the environment says. */
export const agentOptions = (ca: string | null): AgentOptions => ({
  keepAlive: true,
  maxSockets: MAX_SOCKETS,
  rejectUnauthorized: true,
  minVersion: 'TLSv1.2',
  ...(ca === null ? {} : { ca: [...rootCertificates, ca] }),
});

/** The address answered with another status than 200. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const MAX_ANSWER_BYTES = 262_144;

/**
 * Speaks JSON with a service of the operator's own, over connections that are kept. Redirects are not followed, proxies of
 * the environment are not used, and private addresses are allowed.
 */
export class JsonOverHttps {
  private readonly agent: HttpAgent;

  /** @param base without a slash at the end. */
  constructor(
    private readonly base: string,
    private readonly headers: Readonly<Record<string, string>>,
    ca: string | null,
    private readonly timeoutMs: number,
  ) {
    this.agent = base.startsWith('https:')
      ? new HttpsAgent(agentOptions(ca))
      : new HttpAgent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  }

  /** @throws AnswerError; Error where there is no answer in time, or it is no JSON. */
  ask(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    const text = body && JSON.stringify(body);
    const ask = this.base.startsWith('https:') ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const outgoing = ask(
        `${this.base}${path}`,
        {
          method,
          agent: this.agent,
          signal: AbortSignal.timeout(this.timeoutMs),
          headers: {
            accept: 'application/json',
            'user-agent': 'notary-service',
            ...this.headers,
            ...(text === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          },
        },
        (answer) => void readJson(answer).then(resolve, reject),
      );
      outgoing.on('error', reject);
      outgoing.end(text);
    });
  }
}

const readJson = async (answer: IncomingMessage): Promise<unknown> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_ANSWER_BYTES) throw new Error('the answer is too large');
    parts.push(part);
  }
  const text = Buffer.concat(parts).toString('utf8');
  if (answer.statusCode !== 200)
    throw new AnswerError(answer.statusCode ?? 0, `${answer.statusCode}: ${text.slice(0, 300)}`);
  return JSON.parse(text) as unknown;
};
