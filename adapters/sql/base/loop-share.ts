/** ms. Long enough for what one caller asks, too short for others to notice. */
const SHARE_MS = 10;

/**
 * The share of one turn of the event loop that reads may take which are answered on the calling thread. Beyond it they wait
 * for the next turn, so that timers and sockets have theirs, and in the order in which they were asked for: whoever reads on
 * and on keeps nobody else from a single read.
 */
export class LoopShare {
  readonly #waiting: (() => void)[] = [];
  #began: number | null = null;

  /** Runs it now, or in its turn. */
  run<T>(read: () => Promise<T>): Promise<T> {
    if (this.#waiting.length === 0 && !this.#isSpent()) return read();
    return new Promise((resolve) => this.#waiting.push(() => resolve(read())));
  }

  #isSpent(): boolean {
    if (this.#began !== null) return performance.now() - this.#began >= SHARE_MS;
    this.#begin();
    return false;
  }

  #begin(): void {
    this.#began = performance.now();
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#began = null;
    while (this.#waiting.length > 0 && !this.#isSpent()) this.#waiting.shift()!();
  }
}
