/** How many facts are sent at the same time, of those that somebody waits for. */
const MAX_AT_ONCE = 16;

/** Lets so many work at the same time; the others wait in their order. */
export class Turns {
  private working = 0;
  private readonly waiting: (() => void)[] = [];

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.working >= MAX_AT_ONCE)
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.working += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.working -= 1;
    }
  }
}
