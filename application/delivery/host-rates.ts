/** Receivers that were not called for so long are forgotten, ms. */
const FORGET_MS = 10_000;

/** Whoever waits longer is asked so often whether it still wants to, ms. */
const SLICE_MS = 1_000;

/** Attempts a second, for each org and receiver, of this process. */
export class HostRates {
  readonly #next = new Map<string, number>();
  #sweptAt = 0;

  constructor(
    private readonly perSecond: number,
    private readonly now = () => performance.now(),
  ) {}

  /**
   * Resolves when it is this attempt's turn. A burst of one second passes at once.
   *
   * @param goesOn asked about once a second of a long wait; where it says false, or throws, the wait ends.
   * @returns whether the turn came.
   */
  async turn(
    orgId: string,
    url: string,
    goesOn: () => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<boolean> {
    const now = this.now();
    this.#sweep(now);
    const key = `${orgId} ${hostOf(url)}`;
    const at = Math.max(this.#next.get(key) ?? 0, now - 1_000);
    this.#next.set(key, at + 1_000 / this.perSecond);
    for (let left = at - now; left > 0; left = at - this.now()) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(left, SLICE_MS)));
      if (left > SLICE_MS && !(await goesOn())) return false;
    }
    return true;
  }

  #sweep(now: number): void {
    if (now - this.#sweptAt < FORGET_MS) return;
    this.#sweptAt = now;
    for (const [key, at] of this.#next) if (at < now - FORGET_MS) this.#next.delete(key);
  }
}

const hostOf = (url: string): string => {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port === '' ? '443' : port}`;
};
