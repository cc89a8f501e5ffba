/** A time after the first thing that was waited for, at which everything that is waited for is given up. */
export class Deadline {
  private timer: NodeJS.Timeout | null = null;
  private isPast = false;
  private giveUp: ((error: Error) => void) | null = null;

  constructor(
    private readonly limitMs: number,
    private readonly error: () => Error,
  ) {}

  before<T>(work: Promise<T>): Promise<T> {
    this.timer ??= setTimeout(() => this.pass(), this.limitMs);
    return new Promise((resolve, reject) => {
      this.giveUp = reject;
      if (this.isPast) reject(this.error());
      work.then(resolve, reject);
    });
  }

  end(): void {
    if (this.timer) clearTimeout(this.timer);
  }

  private pass(): void {
    this.isPast = true;
    this.giveUp?.(this.error());
  }
}
