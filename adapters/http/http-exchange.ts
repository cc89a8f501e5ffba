import type { NotaryError } from '../../domain/kernel/errors.ts';
import { CONCISE_PROBLEM, conciseProblemOf } from './concise-problem.ts';
import type { HttpRequest } from './http-request.ts';
import { challengeOf, retryAfterOf, type Problem } from './problem.ts';
import type { Allowance } from '../../application/call/budgets.ts';
import type { AnswerMeter } from '../../application/call/call.port.ts';
import type { Eventually } from '../../application/ports/rate-limiter.port.ts';
import type { Span } from '../../application/ports/tracer.port.ts';
import { requestIdOf } from './request-id.ts';

export interface Reply {
  readonly status: number;
  readonly mediaType: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array> | null;
  /** The parts of the body are sent as they come. */
  readonly isLive?: boolean;
}

export interface Answer {
  readonly status: number;
  /** JSON, unless `text` or `parts` is given. */
  readonly body?: unknown;
  /** The answer in parts, made while they are sent. */
  readonly parts?: AsyncIterable<string | Uint8Array>;
  /** Each of the parts is sent as it comes. */
  readonly isLive?: boolean;
  /** Of `body` and `parts`; JSON by default. */
  readonly mediaType?: string;
  /** Bytes where the type is binary, or where a header names a content coding. */
  readonly text?: { readonly mediaType: string; readonly content: string | Uint8Array };
  readonly headers?: { readonly [name: string]: string };
}

/** One request and its answer so far. */
export class HttpExchange {
  readonly requestId: string;
  readonly startedAt = performance.now();
  /** For the log, like the next four. */
  keyId: string | null = null;
  /** The record that the request is about or has made. */
  recordId: string | null = null;
  /** The code of the problem that is the answer. */
  problem: string | null = null;
  /** Of the caller; that of the socket until it is known what the proxies say. */
  address: string;
  isProbe = false;
  /** Null where the request is not traced. */
  span: Span | null = null;
  /** Refused because the service has too much to do. */
  isShed = false;
  /** Refusals are shown in CBOR (RFC 9290). */
  prefersConcise = false;
  allowance: Allowance | null = null;
  answered: Reply | null = null;
  /** Told how many bytes of a streamed body were sent, with each part; null if nobody counts them. */
  meter: AnswerMeter | null = null;
  /** Size of the body, even if a 304 leaves it out. 0 if the body is streamed. */
  private answerBytes = 0;
  private isOver = false;
  private onEnd: (() => void) | null = null;

  constructor(
    readonly request: HttpRequest,
    /** The path as the route table spells it; null where no route has it. */
    readonly path: string | null,
    readonly params: { readonly [name: string]: string },
  ) {
    this.address = request.remoteAddress;
    this.requestId = requestIdOf(request.header('x-request-id'));
  }

  get instance(): string {
    return this.request.path;
  }

  /** @param end is called once the answer was sent, or broken off; at once, where that is over. */
  holdUntilSent(end: () => void): void {
    if (this.isOver) end();
    else this.onEnd = end;
  }

  /** The answer was sent, or broken off. */
  end(): void {
    this.isOver = true;
    this.onEnd?.();
    this.onEnd = null;
  }

  reply(answer: Answer, isReplay = false): void {
    const { status, headers, text } = answer;
    const body = text?.content ?? answer.parts ?? JSON.stringify(answer.body);
    this.answerBytes =
      typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : 0;
    this.answered = {
      status,
      mediaType: text?.mediaType ?? answer.mediaType ?? 'application/json',
      headers: [
        ...(headers ? Object.entries(headers) : []),
        ...(isReplay ? [['idempotency-replayed', 'true'] as const] : []),
      ],
      body,
      isLive: answer.isLive === true,
    };
  }

  /** Counts what was answered so far, and what is streamed as it is sent. */
  meterBy(meter: AnswerMeter): Eventually<void> {
    this.meter = meter;
    return meter(this.answerBytes);
  }

  /** Headers that the answer carries whatever it is. */
  announce(headers: readonly (readonly [string, string])[]): void {
    if (this.answered && headers.length > 0)
      this.answered = { ...this.answered, headers: [...this.answered.headers, ...headers] };
  }

  /** RFC 9110 section 15.4.5: the headers of the 200, and no body. */
  notModified(answer: Answer): void {
    this.answered = {
      status: 304,
      mediaType: '',
      headers: Object.entries(answer.headers ?? {}),
      body: null,
    };
  }

  refuse(
    error: NotaryError,
    problem: Problem,
    extra: readonly (readonly [string, string])[] = [],
  ): void {
    const concise = this.prefersConcise ? conciseProblemOf(problem) : null;
    const headers: [string, string][] = extra.map(([name, value]) => [name, value]);
    const retryAfter = retryAfterOf(error);
    if (retryAfter !== undefined) headers.push(['retry-after', String(retryAfter)]);
    this.problem = problem.code;
    const challenge = challengeOf(error, this.request.header('authorization') !== undefined);
    if (challenge !== undefined) headers.push(['www-authenticate', challenge]);
    this.answered = {
      status: problem.status,
      mediaType: concise ? CONCISE_PROBLEM : 'application/problem+json',
      headers,
      body: concise ?? JSON.stringify(problem),
    };
  }
}
