/** Keeps loaded values for `ttlMs`, measured by a clock that never jumps. */
export class TtlCache<K, V> {
  private readonly entries = new Map<K, { readonly value: Promise<V>; readonly until: number }>();
  private generation = 0;

  constructor(
    private readonly ttlMs: number,
    private readonly capacity: number,
  ) {}

  /**
   * Simultaneous loads of one key share one result. A result is not kept where the load failed,
   * where `isWorthKeeping` refuses it, or where something was forgotten during the load, because it
   * may have read the old row.
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

  /**
   * Forgets everything. Changes are rare, so an index that finds the affected entries is not worth
   * it.
   */
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
