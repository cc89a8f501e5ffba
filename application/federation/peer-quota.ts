import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';

interface Period {
  readonly began: number;
  taken: number;
}

/** Counts what each peer does, in this process. What is beyond the quota waits at its sender. */
export class PeerQuota {
  private readonly periods = new Map<Uuid, Period>();

  /**
   * @param limit of each peer in a period.
   * @param sentence for the peer.
   * @param now milliseconds of a clock that nobody sets.
   */
  constructor(
    private readonly limit: number,
    private readonly periodMs: number,
    private readonly sentence: string,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @throws NotaryError RATE_LIMITED with the time until the next period of this peer begins. */
  take(peerHubId: Uuid): void {
    const now = this.now();
    const known = this.periods.get(peerHubId);
    const period = known && now - known.began < this.periodMs ? known : { began: now, taken: 0 };
    this.periods.set(peerHubId, period);
    if (period.taken >= this.limit)
      throw new NotaryError('RATE_LIMITED', this.sentence, {
        retryAfter: Math.ceil((period.began + this.periodMs - now) / 1_000),
        suggestion: 'Send the same message again after Retry-After seconds.',
      });
    period.taken++;
  }
}
