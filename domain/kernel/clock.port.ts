/**
 * The time of day. It is injected, so that a test can stop it. It never decides the order of two
 * entries of a chain.
 */
export interface Clock {
  now(): Date;
}
