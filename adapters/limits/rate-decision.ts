import type { RateDecision } from '../../application/ports/rate-limiter.port.ts';

export const WINDOW_MS = 60_000;

export const UNLIMITED: RateDecision = {
  allowed: true,
  limit: 0,
  remaining: 0,
  resetSeconds: 0,
  retryAfterSeconds: 0,
};

/** Whole seconds until calls of which the last came at `last` have left the window. */
export const secondsLeft = (last: number, now: number): number =>
  Math.max(1, Math.ceil((last + WINDOW_MS - now) / 1000));

/** The strictest of several windows. */
export const tightestOf = (decisions: readonly RateDecision[]): RateDecision =>
  decisions.reduce(
    (tightest, decision) =>
      tightest === UNLIMITED || isTighter(decision, tightest) ? decision : tightest,
    UNLIMITED,
  );

/**
 * The stricter of two results: a refusal, the longer wait of two refusals, or the smaller rest of
 * two allowances.
 */
export const isTighter = (a: RateDecision, b: RateDecision): boolean => {
  if (a.allowed !== b.allowed) return !a.allowed;
  return a.allowed ? a.remaining < b.remaining : a.retryAfterSeconds > b.retryAfterSeconds;
};
