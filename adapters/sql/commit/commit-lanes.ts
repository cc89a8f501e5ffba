/** Commits at a time. */
export const MAX_LANES = 2;
/** A commit that takes longer may be waiting for somebody else's lock, or for a slow disk, ms. */
const SLOW_MS = 20;

/**
 * Lets commits run one after the other, and a second one only beside one that is slow. What arrives while one is written
 * shares the next: two at a time would share less each, and every commit costs a processor as much as several calls.
 */
export class CommitLanes {
  /** When each began. */
  readonly #running = new Set<{ readonly began: number }>();
  #timer: NodeJS.Timeout | null = null;

  /** @param onFree when one may begin that could not before. */
  constructor(private readonly onFree: () => void) {}

  get isFree(): boolean {
    const slow = performance.now() - SLOW_MS;
    return this.#running.size < MAX_LANES && [...this.#running].every(({ began }) => began <= slow);
  }

  /** @param work never rejects. */
  async run(work: () => Promise<void>): Promise<void> {
    const lane = { began: performance.now() };
    this.#running.add(lane);
    this.#watch();
    await work();
    this.#running.delete(lane);
    this.onFree();
  }

  /** Nobody else says when a commit has become slow. */
  #watch(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.isFree) this.onFree();
    }, SLOW_MS + 1).unref();
  }
}
