import { PeerQuota } from './peer-quota.ts';

/** An offer makes a record here, which nobody here asked for: one peer has so many of them in an hour. */
export const OFFERS_AN_HOUR = 3_600;
const HOUR_MS = 3_600_000;

export class OfferQuota extends PeerQuota {
  constructor(now?: () => number) {
    super(OFFERS_AN_HOUR, HOUR_MS, `A peer offers ${OFFERS_AN_HOUR} records an hour at most.`, now);
  }
}
