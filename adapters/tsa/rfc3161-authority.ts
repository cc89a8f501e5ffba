import {
  TimestampError,
  type IssuedTimestamp,
  type TimestampAuthority,
} from '../../application/vault/timestamp-authority.port.ts';
import { postQuery } from './post-query.ts';

export interface AuthorityOptions {
  /** http or https. */
  readonly url: string;
  /** PEM certificates that are trusted in addition to those of the runtime; null: none. */
  readonly ca: string | null;
  /** For the whole question; 10 s by default. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const MAX_REPLY_BYTES = 65_536;

/** An authority that is asked over HTTP. What it takes to read its answers is loaded with the first question. */
export class Rfc3161Authority implements TimestampAuthority {
  private readonly url: URL;

  constructor(private readonly options: AuthorityOptions) {
    this.url = new URL(options.url);
  }

  async stamp(imprint: Uint8Array, stopping?: AbortSignal): Promise<IssuedTimestamp> {
    const { ca, timeoutMs = TIMEOUT_MS } = this.options;
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = stopping ? AbortSignal.any([deadline, stopping]) : deadline;
    try {
      const { newQuery, tokenIn } = await import('./query.ts');
      const query = newQuery(imprint);
      const reply = await postQuery(query.bytes, {
        url: this.url,
        ca,
        maxBytes: MAX_REPLY_BYTES,
        signal,
      });
      return await tokenIn(reply, query);
    } catch (cause) {
      const why = deadline.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(cause);
      throw new TimestampError(`the time-stamp authority ${this.url.host}: ${why}`, { cause });
    }
  }
}

const reasonOf = (cause: unknown): string =>
  cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : 'unknown';
