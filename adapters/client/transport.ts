import { AnswerTooLong, readAnswer, type Answered } from './answered.ts';
import { coSign } from './co-sign.ts';
import { openCredential, type CredentialSource } from './credential.ts';
import { randomHex } from './digest.ts';
import { NotaryProblem, NotaryUnreachable } from './notary-problem.ts';
import { asksToRepeat, retryAfterMs, waitMs, type RetryPolicy } from './retry.ts';
import { sleep, within } from './within.ts';

/** What a caller may say of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Of the whole call, its repetitions and waits counted. */
  readonly timeoutMs?: number | undefined;
  /** Of a POST; made where none is given, and kept over its repetitions. */
  readonly idempotencyKey?: string | undefined;
  /** The version that the caller believes to change: the number of the record, or an ETag. */
  readonly ifMatch?: number | string | undefined;
  /** By which the operator finds the call; at most 128 letters, digits and hyphens. */
  readonly requestId?: string | undefined;
  /** An exchanged token (RFC 8693) that shows on whose behalf the caller acts. */
  readonly subjectToken?: string | undefined;
}

/** A request, of this service. */
export interface Outgoing extends CallOptions {
  readonly method: string;
  /** With the query, from the base address on. */
  readonly path: string;
  readonly body?: unknown;
  readonly accept?: string | undefined;
  /** A POST whose operation takes no idempotency key is sent once. */
  readonly isUnkeyed?: boolean | undefined;
}

export interface TransportSettings {
  readonly url: string;
  readonly credential: CredentialSource;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly attemptTimeoutMs: number;
  readonly maxAnswerBytes: number;
  readonly retry: RetryPolicy;
  readonly now: () => number;
}

/** Sends requests until there is an answer that counts. */
export class Transport {
  constructor(private readonly settings: TransportSettings) {}

  /**
   * @throws NotaryProblem where the service refuses; NotaryUnreachable where no answer comes; the reason of the caller's
   *   signal where that ends the call
   */
  async send(outgoing: Outgoing): Promise<Answered> {
    const { settings } = this;
    const { signal } = outgoing;
    const request = prepared(settings.url, outgoing);
    const end = settings.now() + (outgoing.timeoutMs ?? settings.timeoutMs);
    for (let attempt = 1; ; attempt++) {
      const left = Math.max(0, end - settings.now());
      const ms = Math.min(left, settings.attemptTimeoutMs);
      const outcome = await this.attempt(request, attempt, ms, signal);
      const now = settings.now();
      const isLost = outcome instanceof Error;
      const isAgain = isLost
        ? request.isRepeatable && !(outcome instanceof AnswerTooLong)
        : asksToRepeat(outcome, request.isRepeatable);
      const after = isLost ? null : retryAfterMs(outcome.headers, now);
      const wait = waitMs(settings.retry, attempt, after);
      if (!isAgain || attempt >= settings.retry.attempts || now + wait >= end)
        return decided(outcome, attempt, now);
      await sleep(wait, signal);
    }
  }

  /** One exchange: its answer, or why there is none. */
  private async attempt(
    request: Prepared,
    attempt: number,
    ms: number,
    signal: AbortSignal | undefined,
  ): Promise<Answered | Error> {
    signal?.throwIfAborted();
    const { settings } = this;
    const { authorization, key } = await openCredential(settings.credential);
    const { method, url, body } = request;
    const proofs = key ? await coSign(key, { method, url, body: body ?? '' }, settings.now()) : {};
    const headers = new Headers({
      ...request.headers,
      ...(authorization ? { authorization } : {}),
      ...proofs,
    });
    // Called as a function of its own: that of a browser refuses to be anybody's method.
    const { fetch } = settings;
    try {
      return await within(ms, signal, async (ended) =>
        readAnswer(
          // A redirect would take the credential, and what was signed, to another place.
          await fetch(url, {
            method,
            headers,
            redirect: 'manual',
            signal: ended,
            ...(body === undefined ? {} : { body }),
          }),
          attempt,
          settings.maxAnswerBytes,
        ),
      );
    } catch (error) {
      signal?.throwIfAborted();
      return error instanceof Error ? error : new Error(String(error));
    }
  }
}

interface Prepared {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly isRepeatable: boolean;
}

/** What is the same in all attempts. */
const prepared = (base: string, outgoing: Outgoing): Prepared => {
  const {
    method,
    path,
    body,
    accept = 'application/json',
    ifMatch,
    requestId,
    subjectToken,
  } = outgoing;
  // What an answer names as the next step is a place of this service, and of no other.
  if (!path.startsWith('/')) throw new TypeError(`${path} is no path of the service`);
  const isKeyed = method === 'POST' && outgoing.isUnkeyed !== true;
  return {
    method,
    // As the runtime will send it, for the signature covers it.
    url: new URL(base + path).href,
    headers: {
      accept,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(isKeyed ? { 'idempotency-key': outgoing.idempotencyKey ?? randomHex() } : {}),
      ...(ifMatch === undefined
        ? {}
        : { 'if-match': typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch }),
      ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
      ...(subjectToken === undefined ? {} : { 'x-service-subject-token': subjectToken }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    // RFC 9110 section 9.2.2. A PATCH has no key, and is no idempotent method.
    isRepeatable: isKeyed || ['GET', 'PUT', 'DELETE'].includes(method),
  };
};

const decided = (outcome: Answered | Error, attempts: number, now: number): Answered => {
  if (outcome instanceof Error)
    throw new NotaryUnreachable(
      `no answer after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}: ${whyOf(outcome)}`,
      attempts,
      { cause: outcome },
    );
  if (outcome.status >= 200 && outcome.status < 300) return outcome;
  throw new NotaryProblem(outcome, outcome.problem, retryAfterMs(outcome.headers, now), attempts);
};

/** Node says `fetch failed`, and why in the cause. */
const whyOf = ({ message, cause }: Error): string =>
  cause instanceof Error && cause.message !== '' ? `${message} (${cause.message})` : message;
