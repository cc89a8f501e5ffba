import { isUnavailable } from '../notary-problem.ts';
import { sleep } from '../within.ts';
import type { CapturedRecord } from './captured-call.ts';

/** A record that the service refused, and why. To send it again does not help. */
export interface RefusedRecord {
  readonly record: CapturedRecord;
  readonly error: unknown;
}

/** Records that wait for the service, in order. Each leaves when it is notarized, or refused; none is dropped. */
export class CaptureQueue {
  private readonly waiting: CapturedRecord[] = [];
  private readonly gone: RefusedRecord[] = [];
  private draining: Promise<void> | null = null;

  constructor(
    private readonly notarize: (record: CapturedRecord) => Promise<unknown>,
    readonly limit: number,
    private readonly maxWaitMs: number,
  ) {}

  get isFull(): boolean {
    return this.waiting.length + this.gone.length >= this.limit;
  }

  /** Those that are not notarized yet: plain JSON, to be kept over the end of the process. */
  get pending(): readonly CapturedRecord[] {
    return this.waiting;
  }

  /** Those that were refused, until they are taken. */
  get refused(): readonly RefusedRecord[] {
    return this.gone;
  }

  /** @throws RangeError where there is no room */
  add(record: CapturedRecord): void {
    if (this.isFull) throw new RangeError(`${this.limit} records wait already`);
    this.waiting.push(record);
    void this.drain();
  }

  /**
   * Waits until nothing waits.
   *
   * @throws AggregateError of those that were refused, once; the reason of the signal, which leaves what waits in its place
   */
  async flush(signal?: AbortSignal): Promise<void> {
    await Promise.race([this.drain(), ...(signal ? [aborted(signal)] : [])]);
    const refused = this.gone.splice(0);
    if (refused.length > 0)
      throw new AggregateError(
        refused.map(({ error }) => error),
        `${refused.length} captured calls were refused`,
      );
  }

  private drain(): Promise<void> {
    return (this.draining ??= this.sendAll().finally(() => {
      this.draining = null;
    }));
  }

  private async sendAll(): Promise<void> {
    let waitMs = Math.min(1_000, this.maxWaitMs);
    for (let record = this.waiting[0]; record; record = this.waiting[0]) {
      try {
        await this.notarize(record);
      } catch (error) {
        if (isUnavailable(error)) {
          await sleep(waitMs, undefined);
          waitMs = Math.min(this.maxWaitMs, waitMs * 2);
          continue;
        }
        this.gone.push({ record, error });
      }
      this.waiting.shift();
    }
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
