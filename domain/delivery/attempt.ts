/** Waits before the second attempt, the third and so on, seconds. */
export const WAITS_SECONDS = [5, 15, 40, 90, 150] as const;
export const MAX_ATTEMPTS = WAITS_SECONDS.length + 1;
/** Each wait is this part longer or shorter at most. */
export const JITTER = 0.2;
export const MAX_RETRY_AFTER_SECONDS = 300;
/** No attempt and no probe is put off further than this, ms, with room for clocks that are apart. */
export const LONGEST_WAIT_MS = 2 * MAX_RETRY_AFTER_SECONDS * 1_000;
export const TOTAL_MS = 10_000;
export const CONNECT_MS = 5_000;
/** Of an answer, bytes. */
export const KEPT_BYTES = 2_048;

/** Why an event went to the dead letters. */
export const DEAD_LETTER_REASONS = [
  'rejected',
  'redirected',
  'gone',
  'attempts_exhausted',
  'address_refused',
  'secret_undecryptable',
  'signing_algorithm_unavailable',
  'circuit_open',
  'subscription_inactive',
] as const;
export type DeadLetterReason = (typeof DEAD_LETTER_REASONS)[number];

/** What came of a request: an answer, no answer, or it never reached for the network. */
export type Outcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfterSeconds: number | null;
    }
  | { readonly kind: 'unreachable' }
  | {
      readonly kind: 'withheld';
      readonly reason: 'address_refused' | 'secret_undecryptable' | 'signing_algorithm_unavailable';
    };

/** What follows for the delivery, for its breaker and for its subscription. */
export type Verdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly afterMs: number }
  | {
      readonly kind: 'dead';
      readonly reason: DeadLetterReason;
      /** Whether it counts as a failure. */
      readonly counts: boolean;
      readonly ends: boolean;
    };

/**
 * 2xx succeeds; 3xx and 4xx are permanent, and 410 ends the subscription; everything else is tried again.
 *
 * @param attempt 1 of the first.
 * @param chance 0 to 1.
 */
export const verdictOf = (outcome: Outcome, attempt: number, chance: number): Verdict => {
  if (outcome.kind === 'withheld')
    return { kind: 'dead', reason: outcome.reason, counts: false, ends: false };
  const status = outcome.kind === 'answered' ? outcome.status : 0;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status >= 300 && status < 500)
    return {
      kind: 'dead',
      reason: status === 410 ? 'gone' : status < 400 ? 'redirected' : 'rejected',
      counts: true,
      ends: status === 410,
    };
  if (attempt >= MAX_ATTEMPTS)
    return { kind: 'dead', reason: 'attempts_exhausted', counts: true, ends: false };
  const asked =
    outcome.kind === 'answered' && outcome.status === 503 ? (outcome.retryAfterSeconds ?? 0) : 0;
  const wait = WAITS_SECONDS[attempt - 1]! * (1 - JITTER + 2 * JITTER * chance);
  return {
    kind: 'retry',
    afterMs: Math.round(Math.max(wait, Math.min(asked, MAX_RETRY_AFTER_SECONDS)) * 1000),
  };
};
