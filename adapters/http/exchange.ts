import type { Attested } from '../../application/identity/attest-call.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { NotaryError } from '../../domain/kernel/errors.ts';
import type { StoredAnswer } from './idempotency.ts';
import type { Incoming } from './incoming.ts';
import type { PreparedRoute } from './prepared-route.ts';
import { challengeOf, retryAfterOf, type Problem } from './problem.ts';
import type { Allowance } from '../../application/call/budgets.ts';
import { requestIdOf } from './request-id.ts';
import type { Answer } from './route.ts';

export interface Reply {
  readonly status: number;
  readonly mediaType: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | null;
}

/** One request and what has become of it so far. */
export class Exchange {
  readonly requestId: string;
  readonly startedAt = performance.now();
  /** For the log. */
  keyId: string | null = null;
  prepared: PreparedRoute | null = null;
  caller: Caller | null = null;
  attested: Attested = {};
  allowance: Allowance | null = null;
  mediaType = 'application/json';
  answered: Reply | null = null;

  constructor(
    readonly incoming: Incoming,
    /** The path as the route table has it; null where it is not there. */
    readonly path: string | null,
    readonly params: { readonly [name: string]: string },
  ) {
    this.requestId = requestIdOf(incoming.header('x-request-id'));
  }

  get instance(): string {
    return this.incoming.path;
  }

  readonly allow = (allowance: Allowance): void => {
    this.allowance = allowance;
  };

  reply(answer: Answer, isReplay = false): void {
    const { status, headers, text } = answer;
    this.answered = {
      status,
      mediaType: text?.mediaType ?? 'application/json',
      headers: [
        ...(headers ? Object.entries(headers) : []),
        ...(isReplay ? [['idempotency-replayed', 'true'] as const] : []),
      ],
      body: text?.content ?? JSON.stringify(answer.body),
    };
  }

  replay(stored: StoredAnswer): void {
    this.answered = {
      status: stored.status,
      mediaType: stored.mediaType,
      headers: [...Object.entries(stored.headers), ['idempotency-replayed', 'true']],
      body: JSON.stringify(stored.body),
    };
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
    const headers: [string, string][] = extra.map(([name, value]) => [name, value]);
    const retryAfter = retryAfterOf(error);
    if (retryAfter !== undefined) headers.push(['retry-after', String(retryAfter)]);
    const challenge = challengeOf(error, this.incoming.header('authorization') !== undefined);
    if (challenge !== undefined) headers.push(['www-authenticate', challenge]);
    this.answered = {
      status: problem.status,
      mediaType: 'application/problem+json',
      headers,
      body: JSON.stringify(problem),
    };
  }
}
