/**
 * The step budget that the gates of one type share. A step is at most about 80 ns of one core: one
 * visit of a node of the expression, which often takes half of that. So the worst case that was
 * found stays near 25 ms. The budget is enough for a simple condition on each pair from two arrays
 * of 150 elements.
 */
export const MAX_STEPS = 300_000;

/** How many elements a comprehension may iterate over. */
export const MAX_WALK = 300;

/** Larger values that an expression builds are treated as an attack on the memory. */
export const MAX_TEXT = 4 * 1024 * 1024;
export const MAX_LIST = 100_000;

/**
 * Counts the steps of one evaluation. CEL's `||` and `&&` swallow errors, so the meter remembers
 * the first breach, which decides the outcome whatever the expression does with it. After a breach
 * every charge throws.
 */
export class CelMeter {
  breach: string | null = null;
  private left = MAX_STEPS;
  private readonly patterns = new Set<string>();

  /** The gates of one type share one budget; otherwise 64 gates could cost 64 times the limit. */
  beginAll(): void {
    this.left = MAX_STEPS;
    this.patterns.clear();
  }

  begin(): void {
    this.breach = null;
  }

  /**
   * Whether this evaluation uses the pattern for the first time. Compiling is charged once for each
   * pattern, even where a cache holds it, so that the count is the same everywhere.
   */
  chargePattern(pattern: string): boolean {
    if (this.patterns.has(pattern)) return false;
    this.charge(200 + pattern.length * 40);
    this.patterns.add(pattern);
    return true;
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
