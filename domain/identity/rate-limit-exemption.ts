import type { Uuid } from '../kernel/ids.ts';

/** An agent whose calls no rate limit counts. It never changes; it is taken back, and another one given. */
export interface RateLimitExemption {
  readonly id: Uuid;
  /** The agent that owns the credentials. */
  readonly ownerId: Uuid;
  /** ISO 8601 with milliseconds. */
  readonly createdAt: string;
  readonly version: number;
}
