/** Messages that one stream may have under way: two groups of the group commit. */
const MAX_UNDER_WAY = 256;
/** What they may hold together. */
const MAX_BYTES_UNDER_WAY = 4 * 1024 * 1024;

/** A message that came, and what it will be answered. */
export interface Begun {
  readonly bytes: number;
  /** Null where it was not begun, because the stream is over. */
  readonly answer: Promise<Buffer | null>;
}

/** The messages of a stream that came and are not answered yet, in their order. */
export class UnderWay {
  isFinished = false;
  /** The client said that nothing more comes, while all that came was taken. */
  isWhole = false;
  /** There is room again. */
  onRoom: () => void = () => undefined;
  private readonly queue: Begun[] = [];
  private held = 0;
  private count = 0;
  private wake: (() => void) | null = null;

  get hasRoom(): boolean {
    return this.count < MAX_UNDER_WAY && this.held < MAX_BYTES_UNDER_WAY;
  }

  add(begun: Begun): void {
    this.queue.push(begun);
    this.count++;
    this.held += begun.bytes;
    this.wake?.();
  }

  done({ bytes }: Begun): void {
    this.count--;
    this.held -= bytes;
    if (this.hasRoom) this.onRoom();
  }

  /** Nothing more comes. */
  end(): void {
    this.isWhole = !this.isFinished;
    this.finish();
  }

  /** Nothing more is begun. */
  finish(): void {
    this.isFinished = true;
    this.wake?.();
  }

  /** The next one in order; undefined where there is none and none will come. */
  async next(): Promise<Begun | undefined> {
    while (this.queue.length === 0 && !this.isFinished)
      await new Promise<void>((resolve) => (this.wake = resolve));
    return this.queue.shift();
  }
}
