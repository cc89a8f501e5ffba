/** Where lines are pushed to. One caller writes at a time. */
export interface SiemSink {
  /**
   * Resolves when the lines, each with its line feed, are safe there: on the disk, or taken with a 2xx. Where it rejects,
   * none, some or all of them may be there; whoever writes them again makes doubles with the same ids.
   *
   * @param signal ends the wait for an answer early.
   * @throws SinkAway where it did not take them, with a sentence for the operator; TooMuch where fewer may be taken.
   */
  write(lines: readonly string[], signal?: AbortSignal): Promise<void>;
  /** Of whatever is open. Writing opens it again. */
  close(): Promise<void>;
}

export class SinkAway extends Error {
  override readonly name = 'SinkAway';
  constructor(
    message: string,
    /** What it asked for; null where it did not. */
    readonly retryAfterSeconds: number | null = null,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** It takes no body of this size (413). */
export class TooMuch extends SinkAway {}
