import { sha256Hex } from '../../../domain/kernel/digest.ts';
import { InputError, reasonOf } from '../input-error.ts';
import { exchange } from './exchange.ts';
import { assertSafeUrl } from '../fetch-input.ts';

/** What the service said. */
export interface ServiceAnswer {
  readonly status: number;
  readonly text: string;
  /** Seconds; null where it names none. */
  readonly retryAfter: number | null;
}

/** Of a problem document, as far as it is one. */
export interface Refused {
  readonly detail: string;
  readonly reason?: string;
  readonly suggestion?: string;
}

const TIMEOUT_MS = 60_000;
/** A host waits for its tool server to begin, and not for long. */
const SOON_MS = 5_000;

/** For what is asked before anything begins. */
export const soon = (): AbortSignal => AbortSignal.timeout(SOON_MS);

/** The least that a client of the service can be: one request, with the key. A redirect is not followed, because the key is not for another address. */
export class ServiceClient {
  private readonly base: string;

  /** @throws InputError where the URL is not one to send a key to. */
  constructor(
    url: string,
    private readonly key: string,
  ) {
    assertSafeUrl(url);
    this.base = url.replace(/\/+$/, '');
  }

  /** Without a slash at the end. */
  get address(): string {
    return this.base;
  }

  /** Names the service and the key, and tells nothing of the key. */
  get destination(): string {
    return sha256Hex(new TextEncoder().encode(`${this.base}\n${this.key}`)).slice(0, 32);
  }

  /** @throws where the service is away. */
  async send(
    method: string,
    path: string,
    body?: string | Uint8Array,
    headers: Readonly<Record<string, string>> = {},
    signal?: AbortSignal,
  ): Promise<ServiceAnswer> {
    const came = await exchange({
      method,
      url: `${this.base}${path}`,
      headers: {
        authorization: `Bearer ${this.key}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
    const after = Number(came.headers['retry-after'] ?? NaN);
    return {
      status: came.status,
      text: came.text,
      retryAfter: Number.isFinite(after) ? after : null,
    };
  }

  /**
   * Asks for nothing that could be carried out, and so learns what comes before that: whether the key is known, and
   * whether what it asks must be co-signed.
   *
   * @returns false where the service is away, which may pass.
   * @throws InputError that says what to do.
   */
  async isReady(): Promise<boolean> {
    let answer: ServiceAnswer;
    try {
      answer = await this.send('POST', '/v1/records', '{}', {}, soon());
    } catch {
      return false;
    }
    const { status } = answer;
    const refused = refusedBy(answer);
    if (refused.reason === CO_SIGNATURE) throw new InputError(mustCoSign(refused));
    if (status === 401) throw new InputError(`The key is not taken: ${wordsOf(refused)}`);
    if (status === 404) throw new InputError(`${this.base} is no notary: it has no /v1/records`);
    return status < 500 && status !== 429;
  }
}

export const CO_SIGNATURE = 'co_signature_required';

const mustCoSign = ({ detail }: Refused): string =>
  `This credential must co-sign what it asks for, and over standard input nothing can be co-signed: use the key of an agent whose org demands none, or call POST /mcp yourself with HTTP Message Signatures (RFC 9421). The service said: ${detail}`;

/** The same to whoever met it in the middle. */
export const coSignElsewhere =
  'Over standard input nothing can be co-signed: call POST /mcp of the service yourself, with HTTP Message Signatures (RFC 9421), or use a credential that need not co-sign.';

export const refusedBy = ({ status, text }: ServiceAnswer): Refused => {
  try {
    const { detail, reason, suggestion } = JSON.parse(text) as Partial<
      Record<keyof Refused, unknown>
    >;
    if (typeof detail === 'string')
      return {
        detail: plain(detail),
        ...(typeof reason === 'string' ? { reason } : {}),
        ...(typeof suggestion === 'string' ? { suggestion: plain(suggestion) } : {}),
      };
  } catch {
    // Not in words of the service.
  }
  return { detail: `the answer was ${status}` };
};

/** What something else than the service says at its address is for a terminal as well: a line without its commands. */
const plain = (text: string): string =>
  text.slice(0, 2_000).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');

export const wordsOf = ({ detail, suggestion }: Refused): string =>
  suggestion === undefined ? detail : `${detail} ${suggestion}`;

export const awayBecause = (cause: unknown): string =>
  `the notary does not answer: ${reasonOf(cause)}`;
