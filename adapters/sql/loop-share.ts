/** ms. Long enough for what one caller asks, too short for others to notice. */
const SHARE_MS = 10;

/** The share of one turn of the event loop that reads may take which are answered on the calling thread. */
export class LoopShare {
  #began: number | null = null;

  /** Whether others have their turn first: timers, sockets, and whoever asked before. */
  isSpent(): boolean {
    const now = performance.now();
    if (this.#began !== null) return now - this.#began >= SHARE_MS;
    this.#began = now;
    setImmediate(() => (this.#began = null));
    return false;
  }
}
