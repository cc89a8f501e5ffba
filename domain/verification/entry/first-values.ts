import { sha256 } from '../../kernel/digest.ts';

/** Slots at the start; twice as many whenever half of them are taken. */
const SLOTS = 1024;
/** Words a slot: 64 bits of the digest of a name, and 64 of the digest of its value. */
const WORDS = 4;

/**
 * Remembers the first value of each name as a short digest of both, in 32 bytes a name at most: a dump may hold millions. Of
 * a million names two are taken for one with a chance of about one in ten million.
 */
export class FirstValues {
  private slots = new Uint32Array(SLOTS * WORDS);
  private taken = 0;

  /** Notes the first value of a name; whether it had another one already. */
  isAnother(name: string, value: string): boolean {
    const [a, b] = wordsOf(name);
    const [c, d] = wordsOf(value);
    const at = this.slotOf(a, b);
    if (this.isFree(at)) {
      this.slots.set([a, b, c, d], at);
      if (++this.taken * 2 > this.slots.length / WORDS) this.grow();
      return false;
    }
    return this.slots[at + 2] !== c || this.slots[at + 3] !== d;
  }

  /** Where the name stands, or may be put. */
  private slotOf(a: number, b: number): number {
    const { slots } = this;
    let at = (a * WORDS) % slots.length;
    while (!this.isFree(at) && (slots[at] !== a || slots[at + 1] !== b))
      at = (at + WORDS) % slots.length;
    return at;
  }

  private isFree(at: number): boolean {
    return this.slots[at] === 0 && this.slots[at + 1] === 0;
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += WORDS) {
      const [a = 0, b = 0] = old.subarray(at, at + 2);
      if (a !== 0 || b !== 0) this.slots.set(old.subarray(at, at + WORDS), this.slotOf(a, b));
    }
  }
}

const encoder = new TextEncoder();

/** Never both zero: that is a free slot. */
const wordsOf = (text: string): readonly [number, number] => {
  const digest = sha256(encoder.encode(text));
  const view = new DataView(digest.buffer, digest.byteOffset);
  return [view.getUint32(0), (view.getUint32(4) | 1) >>> 0];
};
