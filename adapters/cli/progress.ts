import type { Io } from './io.ts';

const EVERY_MS = 200;

/** A line on a terminal that tells how far long work is; where nobody reads along, it says nothing. */
export class Progress {
  private shownAt = performance.now();
  private isShown = false;

  constructor(private readonly io: Io) {}

  /** @param text is only asked for where it will be shown. */
  show(text: () => string): void {
    if (!this.io.isTTY || performance.now() - this.shownAt < EVERY_MS) return;
    this.shownAt = performance.now();
    this.isShown = true;
    this.io.stderr(`\r\u001b[K${text()}`);
  }

  clear(): void {
    if (this.isShown) this.io.stderr('\r\u001b[K');
    this.isShown = false;
  }
}
