import type { NumberedEvent } from '../../domain/event/event.ts';
import type { SiemFormat } from '../../domain/siem/siem-line.ts';
import type { Log } from '../ports/log.port.ts';
import type { JobLeases } from '../ports/job-leases.port.ts';
import type { SiemLines } from './siem-lines.ts';
import { SinkAway, TooMuch, type SiemSink } from './siem-sink.port.ts';
import type { SiemWalks } from './siem-walk.ts';
import type { SinkName, SinkPosition, SinkPositions } from './sink-positions.port.ts';

export const SINK_LEASE_MS = 30_000;
/** Well within the lease, which a node holds for as long as it drives the sink. */
const RENEW_MS = 5_000;
/** How often it looks where there is nothing. */
const LOOK_MS = 250;
/** After a failure: twice as long each time, up to the longest; both ±20 %. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** An outage is told of at its beginning, and then so often. */
const TELL_MS = 60_000;

/** Kinds that are not pushed, though they are in the stream. */
const WITHHELD: ReadonlySet<string> = new Set(['provisioning.reconciled', 'agent.reference_added']);

export interface PushOptions {
  readonly name: SinkName;
  readonly format: SiemFormat;
  /** Lines of one write at most. */
  readonly batchSize: number;
  /** How long the first event of a batch waits for others, ms. */
  readonly flushMs: number;
}

export const sinkJobOf = (name: SinkName): `siem-${SinkName}-sink` => `siem-${name}-sink`;

/**
 * Pushes every event to one sink, in the order of the numbers. The outbox is its buffer: the position moves when the sink has
 * the lines, so a sink that is away, or a node that dies, loses nothing. Its caller holds the lease of the job.
 */
export class PushEvents {
  private readonly random: () => number;
  /** Lines that a write holds now: as many as were asked for, unless the sink took fewer. */
  private most: number;

  constructor(
    private readonly sink: SiemSink,
    private readonly walks: Pick<SiemWalks, 'after'>,
    private readonly positions: SinkPositions,
    private readonly lines: SiemLines,
    private readonly leases: Pick<JobLeases, 'acquire' | 'tell'>,
    private readonly log: Log,
    private readonly options: PushOptions,
    random: () => number = Math.random,
  ) {
    this.random = random;
    this.most = options.batchSize;
  }

  /** Until it is stopped, or another node has the lease. */
  async run(stopping: AbortSignal): Promise<void> {
    const lost = new AbortController();
    const signal = AbortSignal.any([stopping, lost.signal]);
    let renewing: Promise<void> = Promise.resolve();
    const renew = async (): Promise<void> => {
      if (!(await this.leases.acquire(sinkJobOf(this.options.name), SINK_LEASE_MS))) lost.abort();
    };
    const timer = setInterval(() => {
      renewing = renewing.then(renew).catch(() => undefined);
    }, RENEW_MS);
    try {
      await this.drive(signal);
    } finally {
      clearInterval(timer);
      await renewing;
      await this.sink.close();
    }
  }

  private async drive(signal: AbortSignal): Promise<void> {
    const outage = new Outage(this.log, this.options.name, (failure) => this.tell(failure));
    let gathering: number | null = null;
    while (!signal.aborted) {
      try {
        const position = await this.positions.find(this.options.name);
        const events = await this.walks.after(
          position ?? { since: null },
          { kind: 'platform' },
          this.most,
        );
        const waitMs = this.wait(events.length, gathering);
        if (waitMs > 0) {
          gathering = events.length === 0 ? null : (gathering ?? performance.now());
          await sleep(Math.min(waitMs, LOOK_MS), signal);
          continue;
        }
        gathering = null;
        // Another node has the lease, and its position.
        if (!(await this.push(position, events, signal))) return;
        outage.ended();
      } catch (error) {
        if (!signal.aborted) await sleep(this.backoff(outage.failed(error), error), signal);
      }
    }
  }

  /** So that every node knows of the outage. The log has it in any case. */
  private tell(failure: string | null): void {
    this.leases.tell(sinkJobOf(this.options.name), failure).catch(() => undefined);
  }

  /** How long to wait before this many events are sent, ms; 0: now. */
  private wait(events: number, gathering: number | null): number {
    if (events === 0) return LOOK_MS;
    if (events >= this.most) return 0;
    const { flushMs } = this.options;
    return gathering === null ? flushMs : Math.max(0, gathering + flushMs - performance.now());
  }

  /** False where another node moved the position. */
  private async push(
    position: SinkPosition | null,
    events: readonly NumberedEvent[],
    signal: AbortSignal,
  ): Promise<boolean> {
    const { name, format } = this.options;
    const lines = events
      .filter(({ type }) => !WITHHELD.has(type))
      .map((event) => this.lines.of(event, format));
    try {
      if (lines.length > 0) await this.sink.write(lines, signal);
    } catch (error) {
      if (!(error instanceof TooMuch) || events.length === 1) throw error;
      // At once, for one of the two halves may be the one that it does not take.
      this.most = Math.floor(events.length / 2);
      return true;
    }
    this.most = Math.min(this.most + 1, this.options.batchSize);
    const { sequence, id, numberedAt } = events.at(-1)!;
    return this.positions.move(name, position, { sequence, id, numberedAt });
  }

  private backoff(failures: number, error: unknown): number {
    const scheduled = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
    const asked = error instanceof SinkAway ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
    return Math.max(scheduled * (0.8 + 0.4 * this.random()), Math.min(asked, 5 * LONGEST_WAIT_MS));
  }
}

/** Counts failures in a row, and tells of them now and then. */
class Outage {
  private failures = 0;
  private toldAt = 0;

  constructor(
    private readonly log: Log,
    private readonly sink: SinkName,
    private readonly tell: (failure: string | null) => void,
  ) {}

  /** @returns how many in a row. */
  failed(error: unknown): number {
    this.failures++;
    const now = performance.now();
    if (this.failures === 1 || now - this.toldAt >= TELL_MS) {
      this.toldAt = now;
      this.tell(error instanceof Error ? error.message : String(error));
      this.log.warn(
        { sink: this.sink, failures: this.failures, err: error },
        'a SIEM sink takes nothing: events wait for it in the database',
      );
    }
    return this.failures;
  }

  ended(): void {
    if (this.failures > 0) {
      this.log.info({ sink: this.sink }, 'the SIEM sink takes events again');
      this.tell(null);
    }
    this.failures = 0;
  }
}

/** Ends early where the signal aborts. */
const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
