import { sha256 } from '../../../kernel/digest.ts';

const SLOTS = 1024;
/** Words a slot: 128 bits of the digest of a name, and two words that belong to it. */
const WORDS = 6;
const NAME = 4;

export type NameWords = Uint32Array<ArrayBufferLike>;

/**
 * Two words a name, in 32 to 64 bytes a name: a dump may hold millions. Nobody finds two names that are taken for one with
 * less than 2^64 tries.
 */
export class NameTable {
  private slots: NameWords = new Uint32Array(SLOTS * WORDS);
  private taken = 0;

  /** One that holds what `words` of another one held. Nothing can be added to it. */
  static of(words: NameWords): NameTable {
    const table = new NameTable();
    table.slots = words;
    return table;
  }

  /** All that it holds, in memory that threads can share. */
  get words(): NameWords {
    const { slots } = this;
    if (typeof SharedArrayBuffer === 'undefined') return slots;
    const shared = new Uint32Array(new SharedArrayBuffer(slots.byteLength));
    shared.set(slots);
    return shared;
  }

  get isEmpty(): boolean {
    return this.taken === 0;
  }

  /** Null where the name was never set. */
  get(name: string): readonly [number, number] | null {
    const at = this.slotOf(wordsOf(name));
    const { slots } = this;
    return this.isFree(at) ? null : [slots[at + NAME]!, slots[at + NAME + 1]!];
  }

  /** Each of the two is a whole number below 2^32. */
  set(name: string, first: number, second = 0): void {
    const words = wordsOf(name);
    const at = this.slotOf(words);
    const isNew = this.isFree(at);
    this.slots.set([...words, first, second], at);
    if (isNew && ++this.taken * WORDS * 4 > this.slots.length * 3) this.grow();
  }

  private slotOf(words: ArrayLike<number>): number {
    const { slots } = this;
    let at = (words[0]! * WORDS) % slots.length;
    while (!this.isFree(at) && !this.isOf(words, at)) at = (at + WORDS) % slots.length;
    return at;
  }

  private isFree(at: number): boolean {
    return this.slots[at + 1] === 0;
  }

  private isOf(words: ArrayLike<number>, at: number): boolean {
    for (let word = 0; word < NAME; word++) if (this.slots[at + word] !== words[word]) return false;
    return true;
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += WORDS)
      if (old[at + 1] !== 0) {
        const slot = old.subarray(at, at + WORDS);
        this.slots.set(slot, this.slotOf(slot));
      }
  }
}

const encoder = new TextEncoder();

/** The second is never zero: that is a free slot. */
const wordsOf = (name: string): readonly number[] => {
  const digest = sha256(encoder.encode(name));
  const view = new DataView(digest.buffer, digest.byteOffset);
  return [view.getUint32(0), (view.getUint32(4) | 1) >>> 0, view.getUint32(8), view.getUint32(12)];
};
