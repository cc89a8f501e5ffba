/** How often a unit runs before its caller is told that the database is too busy. */
export const MAX_TRIES = 8;

/**
 * The pause before the next try, ms. It doubles up to a limit, with full jitter, so that competing
 * units do not collide again.
 */
export const pause = (tries: number): number => Math.random() * Math.min(250, 4 * 2 ** tries);
