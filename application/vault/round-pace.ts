import type { CallersWait } from '../call/calls-under-way.ts';

/** A pause lasts so many times as long as the work before it: a quarter of the time is left to the round. */
const PAUSES_TO_WORK = 3;
/** ms. Nobody waits longer for a look whether somebody still calls. */
const LONGEST_PAUSE = 100;
/** All pauses of a round together: a tenth of the interval between rounds, and at most so many ms. */
const MOST = 60_000;

/** Rounds are made as fast as they can be while nobody calls, and step back for callers as long as the interval holds. */
export class RoundPace {
  constructor(
    private readonly callersWait: CallersWait,
    private readonly intervalMs: number,
    private readonly now = () => performance.now(),
  ) {}

  /** Of one round, which begins. */
  begin(): RoundBreaks {
    return new RoundBreaks(this.callersWait, Math.min(MOST, this.intervalMs / 10), this.now);
  }
}

export class RoundBreaks {
  private since: number;

  constructor(
    private readonly callersWait: CallersWait,
    /** ms that may still be waited. */
    private left: number,
    private readonly now: () => number,
  ) {
    this.since = now();
  }

  /** Resolves when the next batch may begin. */
  async pause(): Promise<void> {
    const worked = this.now() - this.since;
    if (this.callersWait() && this.left > 0) {
      const pause = Math.min(PAUSES_TO_WORK * worked, LONGEST_PAUSE, this.left);
      this.left -= pause;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    this.since = this.now();
  }
}
