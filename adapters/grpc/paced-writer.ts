import { NotaryError } from '../../domain/kernel/errors.ts';

/** What a stream of grpc-js shows to whoever writes to it. */
export interface Writable {
  readonly cancelled: boolean;
  write(bytes: Buffer): boolean;
  once(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
}

/** Writes messages as fast as the reader takes them: one that stops reading holds no more than what is under way. */
export class PacedWriter {
  constructor(
    private readonly stream: Writable,
    /** How long a reader may take nothing, ms. */
    private readonly stallMs: number,
    /** Ends the wait. */
    private readonly signal?: AbortSignal,
  ) {}

  get isOver(): boolean {
    return this.stream.cancelled || this.signal?.aborted === true;
  }

  /**
   * Resolves once there is room for the next one, or where the stream is over.
   *
   * @throws NotaryError REQUEST_TIMEOUT where the reader takes nothing any more.
   */
  async write(bytes: Buffer): Promise<void> {
    if (this.isOver || this.stream.write(bytes)) return;
    await this.room();
  }

  private room(): Promise<void> {
    const { stream, signal, stallMs } = this;
    return new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer);
        stream.off('drain', done);
        stream.off('cancelled', done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(() => {
        reject(stalled(stallMs));
        done();
      }, stallMs);
      stream.once('drain', done);
      stream.once('cancelled', done);
      signal?.addEventListener('abort', done, { once: true });
      if (this.isOver) done();
    });
  }
}

const stalled = (milliseconds: number): NotaryError =>
  new NotaryError(
    'REQUEST_TIMEOUT',
    `Nothing of the stream was read for ${milliseconds} ms, so it was ended.`,
    { suggestion: 'Open it again, and read it as it comes.' },
  );
