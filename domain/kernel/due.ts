type Time = Date | string | number;

/** How far the clocks of two processes of one service may be apart, ms. */
export const CLOCKS_APART_MS = 60_000;

/**
 * Whether a wait is over. An end that lies further ahead than the longest wait was written while a clock was ahead, or by
 * another program. It is due at once, because otherwise the wait would last until the clock is there again.
 *
 * @param at when the wait ends.
 * @param longestMs no wait of this kind lasts longer.
 */
export const isDue = (at: Time, now: Time, longestMs: number): boolean => {
  const left = msOf(at) - msOf(now);
  return left <= 0 || left > longestMs;
};

/** Whether so many milliseconds passed since a time. A time that lies ahead was noted by a clock that was ahead, and counts as long ago. */
export const hasPassed = (afterMs: number, since: Time, now: Time): boolean =>
  isDue(msOf(since) + afterMs, now, afterMs + CLOCKS_APART_MS);

/** Whether a time lies further ahead than two clocks are apart. */
export const isAhead = (at: Time, now: Time): boolean => msOf(at) - msOf(now) > CLOCKS_APART_MS;

const msOf = (time: Time): number =>
  typeof time === 'number' ? time : typeof time === 'string' ? Date.parse(time) : time.getTime();
