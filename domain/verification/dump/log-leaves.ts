import { COVER_BYTES, isPackable, packCover, type Cover } from './rows/packed-cover.ts';

/** Of a packed leaf: its hash, then what it covers. */
export const LEAF_BYTES = 32 + COVER_BYTES;
export const COVER_AT = 32;

/** A row of the log; `cover` is null where its bytes are no checkpoint. */
export interface LogLeaf {
  readonly leafHash: Uint8Array;
  readonly chainKey: string;
  readonly position: number;
  readonly logIndex: number;
  readonly cover: Cover | null;
}

/** Rows of the log as a thread gives them on. */
export interface LogLeaves {
  readonly count: number;
  /** A row after the other, `LEAF_BYTES` each. */
  readonly packed: Uint8Array<ArrayBuffer>;
  /** Those that do not fit into that form, by their index; null: one that cannot be read. */
  readonly odd: ReadonlyMap<number, LogLeaf | null>;
}

/** Collects rows. */
export class LeafPacker {
  private bytes = new Uint8Array(256 * LEAF_BYTES);
  private count = 0;
  private readonly odd = new Map<number, LogLeaf | null>();

  get size(): number {
    return this.count;
  }

  add(leaf: LogLeaf | null): void {
    const index = this.count++;
    if (this.count * LEAF_BYTES > this.bytes.length) {
      const old = this.bytes;
      this.bytes = new Uint8Array(2 * old.length);
      this.bytes.set(old);
    }
    if (!leaf?.cover || !isPackable(leaf.cover)) return void this.odd.set(index, leaf);
    this.bytes.set(leaf.leafHash, index * LEAF_BYTES);
    packCover(leaf.cover, this.bytes, index * LEAF_BYTES + COVER_AT);
  }

  get leaves(): LogLeaves {
    const { count, odd } = this;
    return { count, odd, packed: this.bytes.slice(0, count * LEAF_BYTES) };
  }
}
