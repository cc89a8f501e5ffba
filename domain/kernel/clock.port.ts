/** The time of day. Injected, so that a test can hold it still. Never used to order two entries of a chain. */
export interface Clock {
  now(): Date;
}
