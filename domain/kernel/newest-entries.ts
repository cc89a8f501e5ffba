/**
 * Holds the entries that were set last: at least half of `capacity`, what was deleted since counted in, and never more than
 * that.
 *
 * They stand in two generations, and the older one goes as a whole. To delete the first key of a long Map, one entry after
 * the other, walks over all that were deleted before it.
 */
export class NewestEntries<K, V> {
  private young = new Map<K, V>();
  private old = new Map<K, V>();
  private readonly most: number;

  constructor(capacity: number) {
    this.most = Math.max(1, Math.floor(capacity / 2));
  }

  get(key: K): V | undefined {
    return this.young.get(key) ?? this.old.get(key);
  }

  set(key: K, value: V): void {
    if (this.young.size >= this.most && !this.young.has(key)) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, value);
  }

  delete(key: K): void {
    this.young.delete(key);
    this.old.delete(key);
  }
}
