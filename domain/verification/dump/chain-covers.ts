import {
  COVER_BYTES,
  compareCovers,
  packedChainKey,
  type Cover,
  type Covers,
} from './rows/packed-cover.ts';

/** How many checkpoints are held at once, at least; at most a quarter more. */
export const WINDOW = 300_000;

/** Records a chunk. */
const CHUNK = 16_384;

/**
 * Holds checkpoints until the chains come that they are of. The log is in the order of its leaves and the chains are in the
 * order of their keys, so what does not fit into the memory is read again later: this holds those of the lowest chain
 * keys, and says up to which key it holds all.
 */
export class ChainCovers {
  private readonly chunks: Uint8Array[] = [];
  private count = 0;
  private readonly named = new Map<string, Cover[]>();
  private namedCount = 0;
  /** Of the packed ones, in the order of their chain keys; null while more are added. */
  private order: Uint32Array | null = null;
  private next = 0;
  /** Of the others, likewise. */
  private names: readonly string[] | null = null;
  private nextName = 0;
  /** Null: all of them are held. */
  private limit: string | null = null;

  /** @param from the lowest chain key that is held. */
  constructor(
    readonly from: string,
    private readonly window = WINDOW,
  ) {}

  /** The first chain key of which checkpoints were left out; null where none was. */
  get end(): string | null {
    return this.limit;
  }

  holds(chainKey: string): boolean {
    return chainKey >= this.from && (this.limit === null || chainKey < this.limit);
  }

  /** In the order of the log, here and below. */
  add(cover: Cover): void {
    if (!this.holds(cover.chainKey)) return;
    const known = this.named.get(cover.chainKey);
    if (known) known.push(cover);
    else this.named.set(cover.chainKey, [cover]);
    this.namedCount++;
    this.fit();
  }

  addPacked(bytes: Uint8Array, at: number): void {
    if ((this.from !== '' || this.limit !== null) && !this.holds(packedChainKey(bytes, at))) return;
    this.append(bytes, at);
    this.fit();
  }

  /** Takes those out whose chain keys are not above this one, or all. */
  takeUpTo(chainKey: string | null): Covers {
    const order = (this.order ??= this.sorted());
    const first = this.next;
    while (this.next < order.length) {
      const [chunk, at] = this.placeOf(order[this.next]!);
      if (chainKey !== null && packedChainKey(chunk, at) > chainKey) break;
      this.next++;
    }
    const packed = new Uint8Array((this.next - first) * COVER_BYTES);
    for (let taken = first; taken < this.next; taken++) {
      const [chunk, at] = this.placeOf(order[taken]!);
      packed.set(chunk.subarray(at, at + COVER_BYTES), (taken - first) * COVER_BYTES);
    }
    const names = (this.names ??= [...this.named.keys()].sort());
    const named: Cover[] = [];
    for (; this.nextName < names.length; this.nextName++) {
      const name = names[this.nextName]!;
      if (chainKey !== null && name > chainKey) break;
      named.push(...this.named.get(name)!);
      this.named.delete(name);
    }
    return { packed, named };
  }

  private append(bytes: Uint8Array, at: number): void {
    if (this.count === this.chunks.length * CHUNK)
      this.chunks.push(new Uint8Array(CHUNK * COVER_BYTES));
    const [chunk, place] = this.placeOf(this.count++);
    chunk.set(bytes.subarray(at, at + COVER_BYTES), place);
  }

  private placeOf(index: number): readonly [Uint8Array, number] {
    return [this.chunks[Math.floor(index / CHUNK)]!, (index % CHUNK) * COVER_BYTES];
  }

  private sorted(): Uint32Array {
    const views = this.chunks.map(({ buffer }) => new DataView(buffer));
    const compare = (a: number, b: number): number =>
      compareCovers(
        views[Math.floor(a / CHUNK)]!,
        (a % CHUNK) * COVER_BYTES,
        views[Math.floor(b / CHUNK)]!,
        (b % CHUNK) * COVER_BYTES,
      );
    return Uint32Array.from({ length: this.count }, (_, index) => index).sort(compare);
  }

  private fit(): void {
    if (this.count + this.namedCount > 1.25 * this.window) this.leaveOut();
  }

  /** Drops the highest chain keys until the window fits. One chain is never parted. */
  private leaveOut(): void {
    const order = this.sorted();
    const names = [...this.named.keys()].sort();
    let kept = order.length;
    for (;;) {
      if (kept + this.namedCount <= this.window) break;
      const packedKey = kept > 0 ? this.keyAt(order[kept - 1]!) : null;
      const name = names.at(-1) ?? null;
      const highest =
        name !== null && (packedKey === null || name >= packedKey) ? name : packedKey!;
      let below = kept;
      while (below > 0 && this.keyAt(order[below - 1]!) === highest) below--;
      const isNamed = name === highest;
      if (below === 0 && names.length === (isNamed ? 1 : 0)) break;
      kept = below;
      if (isNamed) {
        names.pop();
        this.namedCount -= this.named.get(highest)!.length;
        this.named.delete(highest);
      }
      this.limit = highest;
    }
    this.keep(order.subarray(0, kept));
  }

  private keyAt(index: number): string {
    return packedChainKey(...this.placeOf(index));
  }

  private keep(order: Uint32Array): void {
    const { chunks } = this;
    // In their old order, so that each moves to the front of what is still to be read, and no copy is needed.
    const kept = order.slice().sort();
    this.count = 0;
    for (const index of kept)
      this.append(chunks[Math.floor(index / CHUNK)]!, (index % CHUNK) * COVER_BYTES);
    this.chunks.length = Math.ceil(this.count / CHUNK);
  }
}
