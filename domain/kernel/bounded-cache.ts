/**
 * Caches values that are expensive to compute, up to a total weight; the least recently used entry
 * is evicted first. Only for values that are a function of their key: whether a value was cached
 * must never be observable.
 */
export class BoundedCache<Value> {
  private readonly entries = new Map<string, { readonly value: Value; readonly weight: number }>();
  private readonly capacity: number;
  private total = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get(key: string): Value | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    // A Map iterates in insertion order, so the first entry is the least recently used one.
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, weight = 1): void {
    this.delete(key);
    this.entries.set(key, { value, weight });
    this.total += weight;
    for (const oldest of this.entries.keys()) {
      if (this.total <= this.capacity) return;
      this.delete(oldest);
    }
  }

  get size(): number {
    return this.entries.size;
  }

  private delete(key: string): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    this.total -= entry.weight;
  }
}
