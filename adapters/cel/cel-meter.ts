/**
 * What the gates of one type may take together. A step is at most some 80 ns of one core: a node of the
 * expression that is visited once, often half of that. So that the worst that was found stays near 25 ms; enough
 * for a simple condition on each pair out of two arrays of 150.
 */
export const MAX_STEPS = 300_000;

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
  private readonly patterns = new Set<string>();

  /** The gates of one type share one budget, or 64 of them would stand for 64 times the bound. */
  beginAll(): void {
    this.left = MAX_STEPS;
    this.patterns.clear();
  }

  begin(): void {
    this.breach = null;
  }

  /** Whether it is the first time. Compiling is charged once a pattern, whether some cache holds it or not, so that the count is the same everywhere. */
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
