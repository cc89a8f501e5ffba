/** One limit that a call counts against. `limit` in whole calls a minute; 0: this limit is off. */
export interface RateWindow {
  readonly key: string;
  readonly limit: number;
  /** How many calls this one is in this window; without it, what the whole charge costs. */
  readonly cost?: number;
}

/** The tightest of the windows that were asked. `limit` 0 means that no limit applies at all. */
export interface RateDecision {
  readonly allowed: boolean;
  readonly limit: number;
  /** Calls still possible now. */
  readonly remaining: number;
  /** Whole seconds until the window is empty again, if nobody calls. */
  readonly resetSeconds: number;
  /** Whole seconds until the same call would be allowed; 0 where it is. */
  readonly retryAfterSeconds: number;
}

/** At once where it is known here, so that who counts in this process alone never waits. */
export type Eventually<T> = T | Promise<T>;

/**
 * Counts calls over a sliding window of one minute. In no 60 seconds are more calls allowed than the limit.
 *
 * A refused call counts in no window, so a caller that hammers is let in again as soon as one that waits. A
 * cost above the limit is never allowed. Nothing is promised across a restart of whatever keeps the counts. No
 * method rejects: where counts are shared and out of reach, this process decides by its own.
 */
export interface RateLimiter {
  /** Whether an answer takes a round trip, so that who can do without one does not ask. */
  readonly isShared: boolean;
  /**
   * Counts in all of the windows, or in none where one of them refuses.
   *
   * @param cost how many calls this one is (the items of a bulk); 1 by default.
   */
  hitAll(windows: readonly RateWindow[], cost?: number): Eventually<RateDecision>;
  /** What `hitAll` would answer; counts nothing. */
  peek(windows: readonly RateWindow[], cost?: number): Eventually<RateDecision>;
}

/** What the health of the service says about limits that several nodes share. */
export interface SharedLimits {
  /** The shared counts are out of reach, and each node counts for itself. */
  readonly isAway: boolean;
}
