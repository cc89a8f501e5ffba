/**
 * One look at the database, shared by all who ask while it is under way, so that probes never pile
 * up behind a database that hangs. Whoever asks waits for no longer than `withinMs`.
 */
export class Timely<T> {
  private underWay: Promise<T> | null = null;

  constructor(
    private readonly look: () => Promise<T>,
    private readonly withinMs: number,
  ) {}

  /** @throws Error where the look takes longer; it goes on. */
  take(): Promise<T> {
    this.underWay ??= this.look().finally(() => (this.underWay = null));
    const { underWay } = this;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no answer within ${this.withinMs} ms`)),
        this.withinMs,
      );
      underWay.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}
