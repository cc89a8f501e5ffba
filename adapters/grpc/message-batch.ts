import { setImmediate } from 'node:timers/promises';

/** Messages that are begun together: as many as share a commit. */
const MOST = 128;
/** After so many ms of beginning them others have their turn. */
const TURN_MS = 4;

/**
 * Gathers messages as long as more of them arrive, turn by turn of the event loop, and begins them together. HTTP/2 brings
 * sixteen of them at a time; begun as they come, they would share their commit with nobody else. Each takes a place first,
 * and while one waits for its place those behind it wait too.
 */
export class Batch<P, A> {
  private readonly gathered: { readonly bytes: Buffer; begin(answer: Promise<A>): void }[] = [];
  private isBeginning = false;

  /**
   * @param take never rejects; null where no place came.
   * @param answer never rejects.
   */
  constructor(
    private readonly take: () => P | null | Promise<P | null>,
    private readonly answer: (bytes: Buffer, place: P | null) => Promise<A>,
  ) {}

  /** Resolves with the answer. */
  add(bytes: Buffer): Promise<A> {
    return new Promise((begin) => {
      this.gathered.push({ bytes, begin });
      if (!this.isBeginning) void this.beginAll();
    });
  }

  /** Never rejects. */
  private async beginAll(): Promise<void> {
    this.isBeginning = true;
    while (this.gathered.length > 0) {
      for (let seen = 0; seen < this.gathered.length && this.gathered.length < MOST;) {
        seen = this.gathered.length;
        await setImmediate();
      }
      let turn = performance.now();
      for (const { bytes, begin } of this.gathered.splice(0, MOST)) {
        const place = this.take();
        begin(this.answer(bytes, place instanceof Promise ? await place : place));
        if (performance.now() - turn < TURN_MS) continue;
        await setImmediate();
        turn = performance.now();
      }
    }
    this.isBeginning = false;
  }
}
