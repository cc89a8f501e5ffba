import type { ProblemCode, ProblemDocument } from './shapes.ts';

/** A refusal of the service (RFC 9457), with what it says to do about it. */
export class NotaryProblem extends Error {
  override readonly name = 'NotaryProblem';
  readonly status: number;
  /** Null where something before the service answered, with no problem document. */
  readonly code: ProblemCode | null;
  readonly detail: string;
  readonly suggestion: string | null;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** What the operator finds the call by. */
  readonly requestId: string | null;
  /** Of Retry-After, from the answer on; null where there is none. */
  readonly retryAfterMs: number | null;

  /**
   * @param document as it came, with the members of its code, such as `errors`, `allowedActions` or `missingScopes`; null
   *   where something before the service answered
   * @param attempts how often the call was sent
   */
  constructor(
    answer: { readonly status: number; readonly headers: Headers },
    readonly document: ProblemDocument | null,
    retryAfterMs: number | null,
    readonly attempts: number,
  ) {
    const { status, headers } = answer;
    const detail = document?.detail ?? `HTTP ${status}, and no problem document`;
    super(inOneLine(document ? `${document.code}: ${detail}` : detail));
    this.status = status;
    this.code = document?.code ?? null;
    this.detail = detail;
    this.suggestion = document?.suggestion ?? null;
    this.retryable = isRetryable(status, document);
    this.requestId = document?.requestId ?? headers.get('x-request-id');
    this.retryAfterMs = retryAfterMs;
  }
}

/** As it stands in logs and terminals: whoever answered, it is one line, and none that moves a cursor. */
const inOneLine = (text: string): string =>
  text.slice(0, 4_000).replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');

/** No answer came in time, however often it was tried. What was sent may have taken effect all the same. */
export class NotaryUnreachable extends Error {
  override readonly name = 'NotaryUnreachable';

  constructor(
    what: string,
    readonly attempts: number,
    options: { readonly cause: unknown },
  ) {
    super(what, options);
  }
}

/** Whether a later repetition may succeed: the service is away, overloaded, or was not reached. */
export const isUnavailable = (error: unknown): error is NotaryProblem | NotaryUnreachable =>
  error instanceof NotaryUnreachable || (error instanceof NotaryProblem && error.retryable);

/** As the document says; where it says nothing of the kind, by the status. */
export const isRetryable = (
  status: number,
  document: { readonly retryable?: unknown } | null,
): boolean => (typeof document?.retryable === 'boolean' ? document.retryable : isPassing(status));

/** Of answers that a proxy may give in the place of the service (RFC 9110 section 15). */
export const isPassing = (status: number): boolean =>
  [408, 429, 500, 502, 503, 504].includes(status);
