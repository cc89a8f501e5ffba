import type { Uuid } from '../kernel/ids.ts';
import type { RateLimitExemption } from './rate-limit-exemption.ts';

/** Committed rows. */
export interface RateLimitExemptionReads {
  /** Null where the owner is not exempt. */
  find(ownerId: Uuid): Promise<RateLimitExemption | null>;
  /** Every owner that is exempt. A row that somebody else wrote is left out, and told of once a minute. */
  owners(): Promise<ReadonlySet<Uuid>>;
}

/** Inside a unit of work. An owner has one row at most: a second is a DuplicateError. */
export interface RateLimitExemptionStore {
  insert(exemption: RateLimitExemption): Promise<void>;
  /** Locks the row of the owner until the end of the unit of work; null where it is not exempt. */
  lock(ownerId: Uuid): Promise<RateLimitExemption | null>;
  delete(ownerId: Uuid): Promise<void>;
}
