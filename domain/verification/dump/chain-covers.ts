/** What a checkpoint in the log says of its chain. */
export interface Cover {
  readonly chainKey: string;
  readonly position: number;
  readonly headHash: string;
  readonly logIndex: number;
  /** The key that its header names. */
  readonly keyId: string;
  /** ISO 8601 with milliseconds. */
  readonly at: string;
}

/** How many checkpoints are held at once, at least; at most a quarter more. */
export const WINDOW = 50_000;

/**
 * Holds checkpoints beside the chains that they are of. The log is in the order of its leaves and the chains are in the
 * order of their keys, so what does not fit into the memory is read again later: this holds those of the lowest chain
 * keys, and says up to which key it holds all.
 */
export class ChainCovers {
  private readonly byChain = new Map<string, Cover[]>();
  private readonly keyIds = new Map<string, string>();
  private held = 0;
  /** Null: all of them are held. */
  private limit: string | null = null;

  /** @param from the lowest chain key that is held. */
  constructor(
    private readonly from: string,
    private readonly window = WINDOW,
  ) {}

  /** The first chain key of which checkpoints were left out; null where none was. */
  get end(): string | null {
    return this.limit;
  }

  holds(chainKey: string): boolean {
    return chainKey >= this.from && (this.limit === null || chainKey < this.limit);
  }

  add(cover: Cover): void {
    if (!this.holds(cover.chainKey)) return;
    const known = this.byChain.get(cover.chainKey);
    const held = { ...cover, keyId: this.once(cover.keyId) };
    if (known) known.push(held);
    else this.byChain.set(cover.chainKey, [held]);
    this.held++;
    if (this.held > 1.25 * this.window && this.byChain.size > 1) this.leaveOut();
  }

  /** Takes those of one chain out, in the order of the log. */
  take(chainKey: string): readonly Cover[] {
    const covers = this.byChain.get(chainKey) ?? [];
    this.byChain.delete(chainKey);
    return covers;
  }

  /** Those that nobody took. */
  rest(): IterableIterator<readonly Cover[]> {
    return this.byChain.values();
  }

  /** The few ids of keys are held once each. */
  private once(keyId: string): string {
    const known = this.keyIds.get(keyId);
    if (known !== undefined) return known;
    if (this.keyIds.size < this.window) this.keyIds.set(keyId, keyId);
    return keyId;
  }

  /** Drops the highest chain keys until the window fits. One chain is never parted. */
  private leaveOut(): void {
    const keys = [...this.byChain.keys()].sort().reverse();
    for (const chainKey of keys.slice(0, -1)) {
      if (this.held <= this.window) return;
      this.held -= this.byChain.get(chainKey)!.length;
      this.byChain.delete(chainKey);
      this.limit = chainKey;
    }
  }
}
