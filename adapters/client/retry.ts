import type { Answered } from './answered.ts';
import { isRetryable } from './notary-problem.ts';

/** How often a call is sent, and how long is waited between. */
export interface RetryPolicy {
  /** At most, the first one counted. */
  readonly attempts: number;
  /** The longest wait after the first attempt; it doubles with each. */
  readonly baseMs: number;
  /** What it grows to. */
  readonly maxMs: number;
  /** From 0 up to 1, not included. */
  readonly random: () => number;
}

export const DEFAULT_RETRY: RetryPolicy = {
  attempts: 5,
  baseMs: 200,
  maxMs: 10_000,
  random: Math.random,
};

/** How long to wait after the attempt of this number. What the service asks for is the least; the rest is chance alone, so that many callers do not come back at once. */
export const waitMs = (
  policy: RetryPolicy,
  attempt: number,
  retryAfterMs: number | null,
): number => {
  const { baseMs, maxMs, random } = policy;
  const jitter = random() * Math.min(maxMs, baseMs * 2 ** (attempt - 1));
  return (retryAfterMs ?? 0) + jitter;
};

/**
 * Whether an answer says that the same call may be sent again.
 *
 * @param isRepeatable whether it has the same effect once or twice: it is read, or has an idempotency key
 */
export const asksToRepeat = (answered: Answered, isRepeatable: boolean): boolean => {
  const { status, headers, problem } = answered;
  // Refused before anything was done, whatever was asked.
  if (status === 429) return true;
  if (!isRepeatable || status < 400) return false;
  // A 409 that asks to come again: an earlier attempt under the same key still runs.
  return isRetryable(status, problem) || headers.has('retry-after');
};

/** Retry-After in either form (RFC 9110 section 10.2.3), from now on; null without one that can be read. */
export const retryAfterMs = (headers: Headers, now: number): number | null => {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const at = /^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
};
