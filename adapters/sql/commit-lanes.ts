/** Commits at a time. */
export const MAX_LANES = 2;
/** A commit that takes longer may be waiting for somebody else's lock, or for a slow disk, ms. */
const SLOW_MS = 20;

/**
 * Lets commits run one after the other, and a second one only beside one that is slow. What arrives while one is written
 * shares the next: two at a time would share less each, and every commit costs a processor as much as several calls.
 */
export class CommitLanes {
  #running = 0;
  #lastBegan = 0;
  #timer: NodeJS.Timeout | null = null;

  /** @param onFree when one may begin that could not before. */
  constructor(private readonly onFree: () => void) {}

  get isFree(): boolean {
    if (this.#running === 0) return true;
    return this.#running < MAX_LANES && performance.now() - this.#lastBegan >= SLOW_MS;
  }

  /** @param work never rejects. */
  async run(work: () => Promise<void>): Promise<void> {
    this.#running++;
    this.#lastBegan = performance.now();
    this.#watch();
    await work();
    this.#running--;
    this.onFree();
  }

  #watch(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#running > 0) this.onFree();
    }, SLOW_MS + 1).unref();
  }
}
