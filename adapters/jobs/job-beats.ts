import type { SeenJob } from '../../application/ports/job-leases.port.ts';

/** A job that was begun or looked after within this time is alive even where it is asked for more often, ms. */
const SLACK_MS = 1_000;

interface Beat extends SeenJob {
  readonly leaseMs: number;
  /** A run that goes on until it is stopped is alive as long as it runs. */
  readonly isEndless: boolean;
  lookedAt: number;
  runningSince: number | null;
}

/** Which of the jobs of this process are looked after: a look that hangs, fails or never comes is none. */
export class JobBeats {
  private readonly beats = new Map<string, Beat>();

  /** @param now milliseconds of a clock that never goes back. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  add(job: SeenJob & { readonly leaseMs: number; readonly isEndless?: boolean }): void {
    const { name, everyMs, leaseMs, isEndless = false } = job;
    const beat = { name, everyMs, leaseMs, isEndless, lookedAt: this.now(), runningSince: null };
    this.beats.set(name, beat);
  }

  looked(name: string): void {
    const beat = this.beats.get(name);
    if (beat) beat.lookedAt = this.now();
  }

  began(name: string): void {
    const beat = this.beats.get(name);
    if (beat) beat.runningSince = this.now();
  }

  ended(name: string): void {
    const beat = this.beats.get(name);
    if (beat) beat.runningSince = null;
  }

  alive(): readonly SeenJob[] {
    return [...this.beats.values()].filter((beat) => this.isAlive(beat));
  }

  private isAlive({ everyMs, leaseMs, isEndless, lookedAt, runningSince }: Beat): boolean {
    const now = this.now();
    if (runningSince !== null) return isEndless || now - runningSince <= leaseMs;
    return now - lookedAt <= everyMs + SLACK_MS;
  }
}
