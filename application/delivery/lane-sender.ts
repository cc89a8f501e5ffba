import type { Subscription } from '../../domain/delivery/subscription.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Attempt } from './lane-batch.ts';
import type { LaneHold } from './lane-hold.ts';
import type { LaneOutcomes } from './lane-outcomes.ts';
import type { LaneParts } from './lane-parts.ts';
import type { Place } from './lane-places.ts';
import { resultOf } from './lane-results.ts';

/** Attempts that are committed together. */
const LARGEST = 64;
/** A batch that takes longer than this is followed by a smaller one, and one that takes half as long by a larger one, ms. */
const BATCH_MS = 400;
/** From then on what was signed and has not left is taken back, ms. */
const STALE_MS = 1_000;

/** Sends what was committed, one request at a time, and finds how many a batch of this receiver may hold. */
export class LaneSender {
  /** Attempts of the next batch. */
  size = 4;
  /** Whose outcomes there are. */
  sentFor: Pick<Subscription, 'orgId'> | null = null;

  constructor(
    private readonly parts: Pick<
      LaneParts,
      'sending' | 'rates' | 'pace' | 'clock' | 'ids' | 'measures'
    >,
    private readonly hold: LaneHold,
    private readonly outcomes: LaneOutcomes,
    /** 0 to 1: retries of many receivers do not come at once. */
    private readonly chance: () => number,
  ) {}

  async send(
    { orgId, url }: Subscription,
    attempts: readonly Attempt[],
    stopping: Place,
  ): Promise<void> {
    const { sending, clock, ids } = this.parts;
    this.sentFor = { orgId };
    const began = performance.now();
    let failures = 0;
    for (const [index, { queued, ready }] of attempts.entries()) {
      const now = performance.now();
      const isLate = index > 0 && (now - began > STALE_MS || failures > 0 || stopping.aborted);
      const isNext =
        !isLate && this.hold.isHeld && (await stopping.waitFor(this.turn(orgId, url, stopping)));
      // However long the wait was: somebody else may have it by now.
      if (!isNext || !this.hold.isHeld) {
        this.outcomes.unsent = attempts.slice(index).map((one) => one.queued.id);
        break;
      }
      const sent = await stopping.waitFor(sending.send(ready));
      const at = clock.now().toISOString();
      const result = resultOf(queued, sent, orgId, at, this.chance(), () => ids.next());
      if (result.verdict.kind !== 'delivered') failures++;
      this.parts.measures?.delivered(result.verdict.kind);
      this.outcomes.results.push(result);
    }
    this.resize(attempts.length, failures, performance.now() - began);
  }

  /** @returns whether it came. */
  private async turn(orgId: Uuid, url: string, stopping: Place): Promise<boolean> {
    const { rates, pace } = this.parts;
    if (!(await rates.turn(orgId, url, () => this.waitOn(stopping)))) return false;
    await pace.turn();
    return true;
  }

  private resize(sent: number, failures: number, tookMs: number): void {
    if (failures > 0) this.size = 1;
    else if (tookMs > BATCH_MS) this.size = Math.max(1, this.size >> 1);
    else if (sent === this.size && tookMs < BATCH_MS / 2)
      this.size = Math.min(LARGEST, this.size * 2);
  }

  /** A receiver that may be called rarely lets many wait for longer than a lease. @returns false where it stops. */
  private async waitOn(stopping: Pick<Place, 'aborted'>): Promise<boolean> {
    if (stopping.aborted) return false;
    if (!this.hold.isHeld) await this.hold.held(() => Promise.resolve());
    return true;
  }
}
