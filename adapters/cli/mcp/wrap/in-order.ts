/** How many lines are under way at most, and how many bytes of them; who reads waits then. */
const MAX_AHEAD = 64;
const MAX_BYTES = 64 * 1024 * 1024;

/** Lines whose work is done at the same time, and which are passed on in the order in which they came. */
export class InOrder {
  private last: Promise<void> = Promise.resolve();
  private ahead = 0;
  private bytes = 0;
  private wake: (() => void) | null = null;

  /**
   * Resolves when the next line may come.
   *
   * @param pass is called when the work is done and everything before is passed on; once it throws, no more is passed on.
   */
  async next<T>(
    line: Uint8Array,
    work: Promise<T>,
    pass: (done: T) => Promise<void>,
  ): Promise<void> {
    this.ahead += 1;
    this.bytes += line.length;
    this.last = Promise.all([work, this.last])
      .then(([done]) => pass(done))
      .finally(() => {
        this.ahead -= 1;
        this.bytes -= line.length;
        this.wake?.();
      });
    // Told by `done`.
    this.last.catch(() => undefined);
    while (this.ahead > MAX_AHEAD || this.bytes > MAX_BYTES)
      await new Promise<void>((resolve) => (this.wake = resolve));
  }

  /** Resolves when all of them are passed on. @throws what one of them threw. */
  done(): Promise<void> {
    return this.last;
  }
}
