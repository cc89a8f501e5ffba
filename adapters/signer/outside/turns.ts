/** One holder a name at a time in this process, first come, first served. */
export class Turns {
  private readonly tails = new Map<string, Promise<void>>();

  isFree(name: string): boolean {
    return !this.tails.has(name);
  }

  /** Resolves when it is the caller's turn for all of them, with what ends it. Whoever asks for several asks once. */
  async take(names: readonly string[]): Promise<() => void> {
    // Entered in every queue in one go, so of two callers one is before the other in all of them.
    const places = [...new Set(names)].map((name) => this.enter(name));
    await Promise.all(places.map(({ before }) => before));
    return () => {
      for (const { leave } of places) leave();
    };
  }

  private enter(name: string): { readonly before: Promise<void>; leave(): void } {
    const before = this.tails.get(name) ?? Promise.resolve();
    let end = (): void => undefined;
    const mine = new Promise<void>((resolve) => (end = resolve));
    const tail = before.then(() => mine);
    this.tails.set(name, tail);
    return {
      before,
      leave: () => {
        if (this.tails.get(name) === tail) this.tails.delete(name);
        end();
      },
    };
  }
}

/** The turns of one unit of work. */
export class HeldTurns {
  private names: readonly string[] = [];
  private readonly ends: (() => void)[] = [];
  private isReleased = false;

  constructor(private readonly turns: Turns) {}

  /**
   * Takes further turns. Where one of them is not free, those held are given back first, so that two units never wait for
   * each other.
   *
   * @returns false where the unit had to wait: the rows that it read may be others now.
   */
  async take(names: readonly string[]): Promise<boolean> {
    const missing = names.filter((name) => !this.names.includes(name));
    const isAtOnce = missing.every((name) => this.turns.isFree(name));
    const asked = isAtOnce ? missing : [...this.names, ...missing];
    if (!isAtOnce) this.giveBack();
    this.names = [...this.names, ...asked];
    const end = await this.turns.take(asked);
    if (this.isReleased) end();
    else this.ends.push(end);
    return isAtOnce;
  }

  /** For good: what is still waited for is given back when it comes. */
  release(): void {
    this.isReleased = true;
    this.giveBack();
  }

  private giveBack(): void {
    this.names = [];
    for (const end of this.ends.splice(0)) end();
  }
}
