import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { rootCertificates } from 'node:tls';

/** How long a batch may take with all its tries, ms. */
const LIMIT_MS = 10_000;
/** Before the second try, ms; half as long again before each further one. */
const FIRST_PAUSE_MS = 1_000;
/** Answers of OTLP over HTTP after which a batch may be sent again. */
const TEMPORARY: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Faults of the way to it that pass; a certificate that is not trusted does not. */
const PASSING: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENOTFOUND',
  'ENETUNREACH',
  'EHOSTUNREACH',
]);
const MAX_ANSWER_BYTES = 262_144;
const CLOSED = 'the service has stopped';

export interface CollectorOptions {
  /** Base URL, without `/v1/traces`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Authorities that are trusted besides the public ones, in PEM. */
  readonly ca: string | null;
}

/** Why a batch was not taken: a status or a code, never what the collector said, since that may repeat a header. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken';
  constructor(
    reason: string,
    readonly isTemporary: boolean,
    readonly retryAfterMs: number | null = null,
  ) {
    super(reason);
  }
}

/**
 * The collector, by OTLP over HTTP as JSON. A batch that it does not take now is sent again for a while. The exporter of
 * OpenTelemetry does so as well, but cannot be told to stop: its pauses would keep a process that ends alive.
 */
export class Collector {
  private readonly agent: HttpAgent;
  private readonly request: typeof httpRequest;
  private readonly underWay = new Set<ClientRequest>();
  private readonly closing = new AbortController();

  constructor(private readonly options: CollectorOptions) {
    const { endpoint, ca } = options;
    const isTls = endpoint.startsWith('https:');
    this.request = isTls ? httpsRequest : httpRequest;
    this.agent = isTls
      ? new HttpsAgent({
          keepAlive: true,
          // Whatever the environment says.
          rejectUnauthorized: true,
          minVersion: 'TLSv1.2',
          ...(ca === null ? {} : { ca: [...rootCertificates, ca] }),
        })
      : new HttpAgent({ keepAlive: true });
  }

  /** @throws NotTaken */
  async send(body: Uint8Array): Promise<void> {
    const deadline = performance.now() + LIMIT_MS;
    for (let pause = FIRST_PAUSE_MS; ; pause *= 1.5) {
      if (this.closing.signal.aborted) throw new NotTaken(CLOSED, false);
      const failure = await this.post(body, deadline).catch(asNotTaken);
      if (!failure) return;
      if (this.closing.signal.aborted) throw new NotTaken(CLOSED, false);
      const wait = failure.retryAfterMs ?? pause * (0.8 + Math.random() * 0.4);
      if (!failure.isTemporary || performance.now() + wait > deadline) throw failure;
      await sleep(wait, undefined, { signal: this.closing.signal }).catch(() => {
        throw new NotTaken(CLOSED, false);
      });
    }
  }

  /** Ends what is under way: nothing of it keeps the process alive. */
  close(): void {
    this.closing.abort();
    for (const request of this.underWay) request.destroy();
    this.agent.destroy();
  }

  private post(body: Uint8Array, deadline: number): Promise<void> {
    const { endpoint, headers } = this.options;
    const left = Math.max(1, Math.ceil(deadline - performance.now()));
    return new Promise((resolve, reject) => {
      const outgoing = this.request(
        `${endpoint}/v1/traces`,
        {
          method: 'POST',
          agent: this.agent,
          signal: AbortSignal.timeout(left),
          headers: {
            'user-agent': 'notary-service',
            ...headers,
            'content-type': 'application/json',
            'content-length': body.length,
          },
        },
        (answer) => void read(answer).then(resolve, reject),
      );
      this.underWay.add(outgoing);
      outgoing.once('close', () => this.underWay.delete(outgoing));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}

/** Reads the answer to its end, so that the connection can be kept. @throws NotTaken */
const read = async (answer: IncomingMessage): Promise<void> => {
  const { statusCode: status = 0, headers } = answer;
  let size = 0;
  for await (const part of answer as AsyncIterable<Buffer>)
    if ((size += part.length) > MAX_ANSWER_BYTES) break;
  if (status >= 200 && status < 300) return;
  const seconds = headers['retry-after'];
  const retryAfterMs =
    seconds !== undefined && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : null;
  throw new NotTaken(`the collector answered ${status}`, TEMPORARY.has(status), retryAfterMs);
};

const asNotTaken = (error: Error & { readonly code?: unknown }): NotTaken => {
  if (error instanceof NotTaken) return error;
  if (error.code === 'ABORT_ERR') return new NotTaken('no answer in time', true);
  const reason = typeof error.code === 'string' ? error.code : 'no answer';
  return new NotTaken(reason, PASSING.has(error.code));
};
