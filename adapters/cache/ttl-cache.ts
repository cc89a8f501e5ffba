/** A value loaded a moment ago is given again for `ttlMs`, measured by a clock that never jumps. */
export class TtlCache<K, V> {
  private readonly entries = new Map<K, { readonly value: Promise<V>; readonly until: number }>();
  private generation = 0;

  constructor(
    private readonly ttlMs: number,
    private readonly capacity: number,
  ) {}

  /**
   * Loads that run at once for one key share one answer. A failed load is not kept, and neither is one that
   * `isWorthKeeping` refuses, nor one during which something was forgotten: it may have read the old row.
   */
  async get(key: K, load: () => Promise<V>, isWorthKeeping: (value: V) => boolean): Promise<V> {
    const now = performance.now();
    const known = this.entries.get(key);
    if (known && now < known.until) return known.value;
    const { generation } = this;
    const value = load();
    this.keep(key, value, now + this.ttlMs);
    try {
      const loaded = await value;
      if (!isWorthKeeping(loaded) || this.generation !== generation) this.drop(key, value);
      return loaded;
    } catch (error) {
      this.drop(key, value);
      throw error;
    }
  }

  /** Everything at once: changes are rare, and a cache that is too small to search needs no index. */
  clear(): void {
    this.generation += 1;
    this.entries.clear();
  }

  private keep(key: K, value: Promise<V>, until: number): void {
    this.entries.delete(key);
    this.entries.set(key, { value, until });
    if (this.entries.size > this.capacity)
      this.entries.delete(this.entries.keys().next().value as K);
  }

  private drop(key: K, value: Promise<V>): void {
    if (this.entries.get(key)?.value === value) this.entries.delete(key);
  }
}
