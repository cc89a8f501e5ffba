import { createHmac } from 'node:crypto';
import type { EgressPost, PostAnswer } from '../../application/ports/egress-post.port.ts';
import { SinkAway, TooMuch, type SiemSink } from '../../application/siem/siem-sink.port.ts';

export interface HttpSinkOptions {
  readonly url: string;
  /** Sent as a bearer token; null: none. */
  readonly token: string | null;
  /** Signs each batch; null: none is signed. */
  readonly secret: string | null;
  readonly now?: () => number;
}

const CONNECT_MS = 5_000;
const TOTAL_MS = 30_000;
const KEPT_BYTES = 256;

/** Batches of lines to a collector, NDJSON. Whatever is no 2xx is tried again by whoever writes: nothing is given up. */
export class HttpSink implements SiemSink {
  constructor(
    private readonly egress: EgressPost,
    private readonly options: HttpSinkOptions,
  ) {}

  async write(lines: readonly string[], signal?: AbortSignal): Promise<void> {
    const body = Buffer.from(lines.join(''));
    const { status, retryAfterSeconds } = await this.post(body, signal);
    if (status >= 200 && status < 300) return;
    if (status === 413)
      throw new TooMuch(`the collector takes no ${lines.length} lines at once`, retryAfterSeconds);
    throw new SinkAway(`the collector answered ${status}`, retryAfterSeconds);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async post(body: Buffer, signal?: AbortSignal): Promise<PostAnswer> {
    const { url, token, secret } = this.options;
    const headers = {
      'content-type': 'application/x-ndjson',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(secret === null ? {} : { 'x-service-signature': this.signature(secret, body) }),
    };
    const limits = { connectMs: CONNECT_MS, totalMs: TOTAL_MS, keepBytes: KEPT_BYTES };
    try {
      return await this.egress.post('SINK', url, {
        headers,
        body,
        ...limits,
        ...(signal ? { signal } : {}),
      });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new SinkAway(reason, null, { cause });
    }
  }

  /** As that of webhooks: over the time, a full stop and the body. */
  private signature(secret: string, body: Buffer): string {
    const time = Math.floor((this.options.now ?? Date.now)() / 1000);
    const mac = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
    return `t=${time},v1=${mac}`;
  }
}
