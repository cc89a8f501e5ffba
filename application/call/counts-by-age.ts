/** Counts what is under way by the slice of time in which it came, and forgets what came too long ago. */
export class CountsByAge {
  private readonly counts: Int32Array;
  private total = 0;
  private slice = 0;

  /** @param length for so many slices something counts, the one in which it came among them. */
  constructor(private readonly length: number) {
    this.counts = new Int32Array(length);
  }

  get count(): number {
    return this.total;
  }

  /** @returns the slice in which it counts, for `remove`. */
  add(): number {
    this.counts[this.slice % this.length]!++;
    this.total++;
    return this.slice;
  }

  /** Whether it still counted. */
  remove(slice: number): boolean {
    if (slice <= this.slice - this.length) return false;
    this.counts[slice % this.length]!--;
    this.total--;
    return true;
  }

  /** @param slice the one that has begun; no earlier one than before. */
  advance(slice: number): void {
    for (let next = this.slice + 1; next <= slice && next <= this.slice + this.length; next++) {
      const at = next % this.length;
      this.total -= this.counts[at]!;
      this.counts[at] = 0;
    }
    this.slice = slice;
  }
}
