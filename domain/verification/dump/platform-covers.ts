import { sharedWords } from './name-table.ts';

/** Words a checkpoint: the position that it covers, and when it was sealed in seconds since 1970. */
const WORDS = 2;

/** When the log first covered each part of the platform chain, in 8 bytes a checkpoint. */
export class PlatformCovers {
  private words: Uint32Array<ArrayBufferLike> = new Uint32Array(256 * WORDS);
  private count = 0;

  /** One that holds what another one held. Nothing can be added to it. */
  static of(words: Uint32Array<ArrayBufferLike>): PlatformCovers {
    const covers = new PlatformCovers();
    covers.words = words;
    covers.count = words.length / WORDS;
    return covers;
  }

  /** All that it holds, in memory that threads can share. */
  get data(): Uint32Array<ArrayBufferLike> {
    return sharedWords(this.words.subarray(0, this.count * WORDS));
  }

  /** In the order of the log. What covers no more than those before it says nothing. */
  add(position: number, at: number): void {
    if (this.count > 0 && position <= this.words[(this.count - 1) * WORDS]!) return;
    if ((this.count + 1) * WORDS > this.words.length) {
      const old = this.words;
      this.words = new Uint32Array(2 * old.length);
      this.words.set(old);
    }
    this.words.set([position, at], this.count++ * WORDS);
  }

  /** When the entry at this position was first covered, in seconds since 1970; null: never. */
  firstCoverOf(position: number): number | null {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.words[middle * WORDS]! < position) low = middle + 1;
      else high = middle;
    }
    return low < this.count ? this.words[low * WORDS + 1]! : null;
  }
}
