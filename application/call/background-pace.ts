import type { CallersWait } from './calls-under-way.ts';

/** A pause lasts so many times as long as the work before it: a quarter of the time is left to background work. */
const PAUSES_TO_WORK = 3;
/** ms. Nobody waits longer for a look whether somebody still calls. */
const LONGEST_PAUSE = 100;

/** Background work goes as fast as it can while nobody calls, and steps back for callers as long as its time allows. */
export class BackgroundPace {
  constructor(
    private readonly callersWait: CallersWait,
    /** ms that all pauses of one run may take together; infinite where it may lag behind. */
    private readonly most: number,
    private readonly now = () => performance.now(),
  ) {}

  /** Of rounds that are due this often: one waits for a tenth of that at most, and for no more than a minute. */
  static ofRounds(
    callersWait: CallersWait,
    intervalMs: number,
    now?: () => number,
  ): BackgroundPace {
    return new BackgroundPace(callersWait, Math.min(60_000, intervalMs / 10), now);
  }

  /** Of one run, which begins. */
  begin(): Breaks {
    return new PacedBreaks(this.callersWait, this.most, this.now);
  }
}

/** Where a run may be interrupted for others. */
export interface Breaks {
  /** Resolves when the next batch may begin. */
  pause(): Promise<void>;
}

/** Somebody waits for the end of the run. */
export const NO_BREAKS: Breaks = { pause: () => Promise.resolve() };

/** The same, of a run that can be stopped. */
export const stoppable = (breaks: Breaks, stopping: AbortSignal | undefined): Breaks => ({
  /** @throws the reason of the signal. */
  async pause() {
    stopping?.throwIfAborted();
    await breaks.pause();
  },
});

class PacedBreaks implements Breaks {
  private since: number;

  constructor(
    private readonly callersWait: CallersWait,
    /** ms that may still be waited. */
    private left: number,
    private readonly now: () => number,
  ) {
    this.since = now();
  }

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
