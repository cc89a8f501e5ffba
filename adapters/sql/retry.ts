/** How often a unit runs before its caller is told that the database is too busy. */
export const MAX_TRIES = 8;

/** Pause before the next try, ms: doubling up to a limit, with full jitter, so that rivals do not meet again. */
export const pause = (tries: number): number => Math.random() * Math.min(250, 4 * 2 ** tries);
