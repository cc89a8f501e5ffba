const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** How often others are taken and this one is not, before it is set aside. */
const MOST = 6;

interface Suspect {
  count: number;
  /** How many the service had taken when it failed last. */
  taken: number;
  timer: NodeJS.Timeout | null;
}

/**
 * Facts at which the service fails while it takes others: what holds nobody else up, is tried again after growing
 * waits, and not for ever.
 */
export class Suspects {
  private readonly byName = new Map<string, Suspect>();

  /** @param firstWaitMs grows with each failure. */
  constructor(
    private readonly again: (name: string) => void,
    private readonly firstWaitMs = FIRST_WAIT_MS,
  ) {}

  /** How many wait for their next attempt. */
  get waiting(): number {
    return [...this.byName.values()].filter(({ timer }) => timer !== null).length;
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  takenAt(name: string): number | undefined {
    return this.byName.get(name)?.taken;
  }

  /** @returns false where it failed often enough: it is not tried again then. */
  failed(name: string, taken: number): boolean {
    const suspect: Suspect = this.byName.get(name) ?? { count: 0, taken, timer: null };
    suspect.count += 1;
    suspect.taken = taken;
    if (suspect.count >= MOST) {
      this.byName.delete(name);
      return false;
    }
    const wait = Math.min(LONGEST_WAIT_MS, this.firstWaitMs * 2 ** (suspect.count - 1));
    suspect.timer = setTimeout(() => {
      suspect.timer = null;
      this.again(name);
    }, wait);
    this.byName.set(name, suspect);
    return true;
  }

  /** It came to an end. */
  forget(name: string): void {
    this.byName.delete(name);
  }

  /** No more attempts: all of them wait for the next run. */
  stop(): void {
    for (const suspect of this.byName.values()) if (suspect.timer) clearTimeout(suspect.timer);
  }
}
