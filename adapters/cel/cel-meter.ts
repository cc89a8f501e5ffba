/**
 * What one evaluation may take. A step is about 40 ns of one core: a node of the expression that is visited
 * once. Enough for a simple condition on each pair out of two full arrays.
 */
export const MAX_STEPS = 850_000;

/** What a comprehension may walk. */
export const MAX_WALK = 300;

/** Beyond these, a value that an expression builds is taken for an attack on the memory. */
export const MAX_TEXT = 4 * 1024 * 1024;
export const MAX_LIST = 100_000;

/**
 * Counts the steps of one evaluation. CEL's `||` and `&&` swallow errors, so the first breach is remembered
 * here and decides the outcome whatever the expression makes of it; from then on every charge throws.
 */
export class CelMeter {
  breach: string | null = null;
  private left = MAX_STEPS;

  begin(): void {
    this.breach = null;
    this.left = MAX_STEPS;
  }

  charge(steps: number): void {
    if (this.breach !== null) throw new Error(this.breach);
    this.left -= steps;
    if (this.left < 0) this.refuse('the evaluation takes too many steps');
  }

  refuse(reason: string): never {
    this.breach ??= reason;
    throw new Error(reason);
  }
}
