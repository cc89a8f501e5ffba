import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';

/** An offer makes a record here, which nobody here asked for: one peer has so many of them in an hour. */
export const OFFERS_AN_HOUR = 3_600;
const HOUR_MS = 3_600_000;

/** Counts the offers of each peer, in this process. What is beyond the quota waits in the lane of its sender. */
export class OfferQuota {
  private readonly hours = new Map<Uuid, { readonly began: number; taken: number }>();

  /** @param now milliseconds of a clock that nobody sets. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** @throws NotaryError RATE_LIMITED with the time until the next hour of this peer begins. */
  take(peerHubId: Uuid): void {
    const now = this.now();
    const known = this.hours.get(peerHubId);
    const hour = known && now - known.began < HOUR_MS ? known : { began: now, taken: 0 };
    this.hours.set(peerHubId, hour);
    if (hour.taken >= OFFERS_AN_HOUR)
      throw new NotaryError(
        'RATE_LIMITED',
        `A peer offers ${OFFERS_AN_HOUR} records an hour at most.`,
        {
          retryAfter: Math.ceil((hour.began + HOUR_MS - now) / 1_000),
          suggestion: 'Send the same message again after Retry-After seconds.',
        },
      );
    hour.taken++;
  }
}
