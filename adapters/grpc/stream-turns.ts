import type { Leave } from '../../application/call/load-gate.ts';
import type { LoadLine } from '../../application/call/load-line.ts';

/**
 * The turns of the messages of one stream at the load gate. A message waits for its place, and those behind it wait with
 * it: the stream is read no further than what it may hold, so HTTP/2 slows its sender down.
 */
export class StreamTurns {
  private readonly over = new AbortController();
  private isCut = false;

  constructor(
    private readonly line: Pick<LoadLine, 'enter' | 'wait'>,
    /** Whose streams have their turns together. */
    private readonly key: string,
  ) {}

  /** A place; null where none came in time, or the stream is over. */
  take(): Leave | null | Promise<Leave | null> {
    if (this.isCut) return null;
    return this.line.enter('grpc_stream') ?? this.wait();
  }

  /** A message was left out because the stream is over. None behind it is begun: receipts have no gaps. */
  get hasCut(): boolean {
    return this.isCut;
  }

  /** The stream is over: nothing waits any more. */
  end(): void {
    this.over.abort();
  }

  private async wait(): Promise<Leave | null> {
    const leave = await this.line.wait('grpc_stream', this.key, this.over.signal);
    this.isCut = leave === null && this.over.signal.aborted;
    return leave;
  }
}
