import type { Clock } from '../../domain/kernel/clock.port.ts';

/** For how long something that was met shows in the health of this process, ms. */
const KEPT_MS = 3_600_000;

/** What somebody did to the database behind the service. */
export type StoredFault = 'row_tampered' | 'event_hole';

export interface RecentFault {
  /** Since the start of the process. */
  readonly count: number;
  /** ISO 8601; null where it was never met. */
  readonly lastAt: string | null;
}

/**
 * What this process met of edits behind the service. Whoever reads the row again meets it again, so it ends by itself an
 * hour after nobody does.
 */
export class RecentFaults {
  private readonly met = new Map<StoredFault, { count: number; lastAt: number }>();

  constructor(private readonly clock: Clock) {}

  note(fault: StoredFault): void {
    const before = this.met.get(fault)?.count ?? 0;
    this.met.set(fault, { count: before + 1, lastAt: this.clock.now().getTime() });
  }

  isRecent(fault: StoredFault): boolean {
    const met = this.met.get(fault);
    return met !== undefined && this.clock.now().getTime() - met.lastAt <= KEPT_MS;
  }

  of(fault: StoredFault): RecentFault {
    const met = this.met.get(fault);
    return met
      ? { count: met.count, lastAt: new Date(met.lastAt).toISOString() }
      : { count: 0, lastAt: null };
  }
}
