/** A queue in which senders take turns: whoever has many in it waits for the own ones. */
export class FairQueue<T> {
  /** In the order of their next turn. */
  private readonly lanes = new Map<string, T[]>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** How many of a sender wait. */
  sizeOf(sender: string): number {
    return this.lanes.get(sender)?.length ?? 0;
  }

  add(sender: string, item: T): void {
    const lane = this.lanes.get(sender);
    if (lane) lane.push(item);
    else this.lanes.set(sender, [item]);
    this.count++;
  }

  take(): T | undefined {
    const [next] = this.lanes;
    if (!next) return undefined;
    const [sender, lane] = next;
    const item = lane.shift() as T;
    this.count--;
    // Whoever still has some goes to the end of the row.
    this.lanes.delete(sender);
    if (lane.length > 0) this.lanes.set(sender, lane);
    return item;
  }

  /** Takes everything. */
  drain(): T[] {
    const items = [...this.lanes.values()].flat();
    this.lanes.clear();
    this.count = 0;
    return items;
  }
}
