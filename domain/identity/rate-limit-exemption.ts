import type { Uuid } from '../kernel/ids.ts';

/** An agent whose calls no rate limit counts. It never changes; it is taken back, and another one given. */
export interface RateLimitExemption {
  /** The agent that owns the credentials. */
  readonly ownerId: Uuid;
  /** ISO 8601 with milliseconds. */
  readonly createdAt: string;
  readonly version: number;
}

/** What the platform chain counts the versions of an owner's exemption under; the versions of the agent have its id. */
export const exemptionKey = (ownerId: Uuid): string => `rate-limit-exemption/${ownerId}`;

/**
 * The versions go on from one exemption of an owner to the next, so no earlier row can come back, not even one that
 * somebody deleted behind the service before the exemption was taken back. Even ones exempt, odd ones do not; the chain
 * says 1 of who never was exempt.
 */
export const isExemption = (version: number): boolean => version % 2 === 0;

export const nextExemption = (sealed: number): number => sealed + (isExemption(sealed) ? 2 : 1);
